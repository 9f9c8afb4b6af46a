#include "node/wire/rpc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace vqas {
namespace {

class Rpc : public ::testing::Test {
 protected:
  Json respond(const std::string& message) {
    const std::string answer = rpc::respond(message, [this](const std::string& method, const Json& params) {
      ++calls_;
      if (method == "fail") return rpc::Answer::failed(rpc::kHeld, "held by somebody");
      return rpc::Answer{{{"method", method}, {"got", params}}, std::nullopt};
    });
    if (answer.empty()) return nullptr;
    const Json json = Json::parse(answer);
    EXPECT_EQ(json["jsonrpc"], "2.0");
    EXPECT_NE(json.contains("result"), json.contains("error"));
    return json;
  }
  int code_of(const std::string& message) { return respond(message).at("error").at("code").get<int>(); }
  int calls_ = 0;
};

TEST_F(Rpc, ACallGetsItsResultUnderItsId) {
  const Json answer = respond(R"({"jsonrpc":"2.0","id":7,"method":"m","params":{"x":1}})");
  EXPECT_EQ(answer["id"], 7);
  EXPECT_EQ(answer["result"]["got"]["x"], 1);
  EXPECT_EQ(respond(R"({"jsonrpc":"2.0","id":"seven","method":"m"})")["id"], "seven");
}

TEST_F(Rpc, ARefusedCallGetsItsCodeAndMessage) {
  const Json answer = respond(R"({"jsonrpc":"2.0","id":7,"method":"fail"})");
  EXPECT_EQ(answer["error"]["code"], rpc::kHeld);
  EXPECT_EQ(answer["error"]["message"], "held by somebody");
  EXPECT_EQ(answer["id"], 7);
}

TEST_F(Rpc, ANotificationGetsNoAnswer) {
  EXPECT_TRUE(respond(R"({"jsonrpc":"2.0","method":"m"})").is_null());
  EXPECT_TRUE(respond(R"({"jsonrpc":"2.0","method":"fail"})").is_null());
  EXPECT_EQ(calls_, 2);
}

TEST_F(Rpc, AnInvalidRequestIsRefusedAndCallsNothing) {
  for (const std::string message : {"", "{", "hello", "\xff\xfe", R"({"jsonrpc":)"}) {
    EXPECT_EQ(code_of(message), rpc::kParseError) << message;
  }
  for (const std::string message :
       {"[]", "null", "17", R"([{"jsonrpc":"2.0","id":1,"method":"m"}])", "{}",
        R"({"jsonrpc":"1.0","id":1,"method":"m"})", R"({"jsonrpc":2.0,"id":1,"method":"m"})",
        R"({"jsonrpc":"2.0","id":1})", R"({"jsonrpc":"2.0","id":1,"method":3})",
        R"({"jsonrpc":"2.0","id":1,"method":"m","params":[1]})", R"({"jsonrpc":"2.0","id":{},"method":"m"})",
        R"({"jsonrpc":"2.0","id":1.5,"method":"m"})"}) {
    EXPECT_EQ(code_of(message), rpc::kInvalidRequest) << message;
  }
  EXPECT_EQ(calls_, 0);
}

TEST_F(Rpc, LongAndDeepMessagesAreRefused) {
  const std::string start = R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"x":)";
  EXPECT_EQ(code_of(start + '"' + std::string(rpc::kLongestMessage, 'x') + "\"}}"), rpc::kInvalidRequest);
  EXPECT_EQ(code_of(start + std::string(100000, '[') + std::string(100000, ']') + "}}"), rpc::kParseError);
  EXPECT_EQ(calls_, 0);
  EXPECT_EQ(respond(start + "\"" + std::string(1000, '[') + "\"}}")["result"]["method"], "m") << "brackets in a string";
}

TEST_F(Rpc, RandomDamageNeverThrows) {
  const std::string good = R"({"jsonrpc":"2.0","id":7,"method":"m","params":{"x":[1,2,{"y":"z\n"}]}})";
  std::mt19937_64 random(5);
  for (int n = 0; n < 20000; ++n) {
    std::string message = good;
    for (std::uint64_t cuts = 1 + random() % 4; cuts > 0; --cuts) {
      message[random() % message.size()] = static_cast<char>(random() % 256);
    }
    if (random() % 4 == 0) message.resize(random() % message.size());
    EXPECT_NO_THROW(respond(message)) << message;
    EXPECT_NO_THROW((void)rpc::read_incoming(message)) << message;
  }
}

TEST_F(Rpc, AControllerReadsResponsesAndNotifications) {
  const auto result = rpc::read_incoming(R"({"jsonrpc":"2.0","id":3,"result":{"x":1}})");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->id, 3U);
  EXPECT_EQ(result->content["x"], 1);
  const auto fault = rpc::read_incoming(R"({"jsonrpc":"2.0","id":3,"error":{"code":-5,"message":"no"}})");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->fault.value().code, -5);
  const auto notification = rpc::read_incoming(rpc::notification("sent", {{"sequence", 1}}));
  ASSERT_TRUE(notification);
  EXPECT_FALSE(notification->id);
  EXPECT_EQ(notification->method, "sent");
  for (const std::string message : {"", "[]", "{}", R"({"jsonrpc":"2.0"})", R"({"jsonrpc":"2.0","id":-1,"result":1})",
                                    R"({"jsonrpc":"2.0","id":1,"error":3})", R"({"jsonrpc":"2.0","id":1,"error":{}})",
                                    R"({"jsonrpc":"2.0","method":1})"}) {
    EXPECT_FALSE(rpc::read_incoming(message)) << message;
  }
}

}  // namespace
}  // namespace vqas
