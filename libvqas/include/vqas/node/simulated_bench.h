#pragma once

#include <QObject>
#include <QString>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "vqas/line/simulator.h"

namespace vqas {

struct BenchOptions {
  std::filesystem::path program;  ///< the vqas command, which runs "vqas sim" and "vqas node"
  std::filesystem::path corpus;   ///< folder of the corpus for both nodes
  std::filesystem::path data;     ///< data folders of the nodes, under a/ and b/
  SimulatedLine line;
  /// Further arguments of the nodes, --send-delay-max-s and the like.
  std::vector<std::string> node_a_arguments, node_b_arguments;
};

/// A complete simulated line on this machine: the simulator and the two nodes as separate processes. They end with this
/// object, and also when this process dies (they watch their standard input). Lives in one thread with a Qt event loop;
/// all signals come from there.
class SimulatedBench : public QObject {
  Q_OBJECT
 public:
  explicit SimulatedBench(BenchOptions options, QObject* parent = nullptr);
  ~SimulatedBench() override;

  /// ready() or failed() follows.
  void start();
  /// Control addresses, "ws://127.0.0.1:PORT"; known after ready().
  const std::string& node_a() const;
  const std::string& node_b() const;
  /// Ends the processes and waits for them; kills them after one second.
  void stop();

 signals:
  void ready();
  /// A process could not be started, or died, before ready() or after it. `message` names it and contains its last
  /// words.
  void failed(QString message);

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
