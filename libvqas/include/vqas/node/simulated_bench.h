#pragma once

#include <QObject>
#include <QString>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "vqas/line/simulator.h"

namespace vqas {

struct BenchOptions {
  std::filesystem::path program;  ///< the vqas command, which runs "vqas sim" and "vqas node"
  std::filesystem::path corpus;   ///< folder of the corpus that both nodes hold
  std::filesystem::path data;     ///< where the nodes keep what they receive, under a/ and b/
  SimulatedLine line;
  /// Further arguments of the nodes, --send-delay-max-s and the like.
  std::vector<std::string> node_a_arguments, node_b_arguments;
};

/// A whole simulated line on this machine: the simulator and the two nodes as processes of their own. They end with
/// this object, and also when this process dies (they watch their standard input). Lives in one thread with a Qt event
/// loop; all signals come from there.
class SimulatedBench : public QObject {
  Q_OBJECT
 public:
  explicit SimulatedBench(BenchOptions options, QObject* parent = nullptr);
  ~SimulatedBench() override;

  /// ready() or failed() follows.
  void start();
  /// Control addresses, "ws://127.0.0.1:PORT"; known from ready() on.
  const std::string& node_a() const;
  const std::string& node_b() const;
  /// Conditions by direction, "a-to-b" and "b-to-a".
  std::map<std::string, LineConditions> conditions() const;
  /// Ends the processes and waits until they are gone, a second at most before they are killed.
  void stop();

 signals:
  void ready();
  /// A process could not be started, or died: before ready() or after it. `message` says which and its last words.
  void failed(QString message);

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
