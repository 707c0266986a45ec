#include "simgpu/cuda/image/ptx.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace simgpu::cuda {
namespace {

constexpr char kHead[] = ".version 8.0\n.target sm_80\n.address_size 64\n";

ImageContents Read(const std::string& text) { return ReadPtx(kHead + text); }

// Of the only variable; 0: there is none, or more than one.
size_t BytesOf(const std::string& declaration) {
  const Variables variables = Read(declaration).variables;
  return variables.size() == 1 ? variables.begin()->second.bytes : 0;
}

// The value of the only variable, as numbers of its type.
template <typename Number>
std::vector<Number> ValueOf(const std::string& declaration) {
  const Variables variables = Read(declaration).variables;
  if (variables.size() != 1) return {};
  const Variable& variable = variables.begin()->second;
  std::vector<Number> numbers(variable.value.size() / sizeof(Number));
  std::memcpy(numbers.data(), variable.value.data(), numbers.size() * sizeof(Number));
  return numbers;
}

TEST(Ptx, NamesKernels) {
  const ImageContents contents = ReadPtx(
      "//\n// .entry not_this\n/* .entry\nnor_this */\n.version 8.0\n.target sm_80\n"
      ".visible .entry first(\n.param .u64 a)\n{ ret; }\n.entry  $two%_() { { ret; } }\n"
      ".func helper() { ret; }\n.file 1 \".entry file {\"\n.entry third() {}\n");
  EXPECT_EQ(contents.kernels, (std::set<std::string>{"first", "$two%_", "third"}));
}

TEST(Ptx, SizesFollowTypesVectorsAndDimensions) {
  EXPECT_EQ(BytesOf(".global .b8 a;"), 1u);
  EXPECT_EQ(BytesOf(".visible .global .align 8 .f64 a;"), 8u);
  EXPECT_EQ(BytesOf(".const .align 4 .u16 a[3];"), 6u);
  EXPECT_EQ(BytesOf(".global .v4 .f32 a;"), 16u);
  EXPECT_EQ(BytesOf(".global .align 16 .v2 .s64 a[2][5];"), 160u);
  EXPECT_EQ(BytesOf(".global .f16x2 a;"), 4u);
  EXPECT_EQ(BytesOf(".global .bf16 a[3];"), 6u);
  EXPECT_EQ(BytesOf(".global .b128 a;"), 16u);
  EXPECT_EQ(BytesOf(".global.u32 a;"), 4u);
  EXPECT_EQ(BytesOf(".weak .global .attribute(.managed) .u32 $a%_[0x10];"), 64u);
  EXPECT_EQ(BytesOf(".extern .const .u32 a;"), 4u);
  EXPECT_EQ(BytesOf(".const[2] .u32 a;"), 4u);
  EXPECT_EQ(BytesOf(".global /* .u64 */ .u32 // .u64\n a;"), 4u);
}

TEST(Ptx, ValuesAreNumbersOfTheType) {
  EXPECT_EQ(ValueOf<uint32_t>(".global .u32 a = 42;"), std::vector<uint32_t>{42});
  EXPECT_EQ(ValueOf<int64_t>(".global .s64 a = -5;"), std::vector<int64_t>{-5});
  EXPECT_EQ(ValueOf<uint64_t>(".global .u64 a = 0xFFFFFFFFFFFFFFFFU;"),
            std::vector<uint64_t>{~uint64_t{0}});
  EXPECT_EQ(ValueOf<uint16_t>(".global .b16 a[2] = {010, 0b101};"), (std::vector<uint16_t>{8, 5}));
  EXPECT_EQ(ValueOf<uint8_t>(".global .u8 a = 300;"), std::vector<uint8_t>{44});
  EXPECT_EQ(ValueOf<float>(".const .f32 a[4] = {0f3F800000, 0d4000000000000000, -1.5e-3, .5};"),
            (std::vector<float>{1, 2, -1.5e-3f, .5f}));
  EXPECT_EQ(ValueOf<double>(".global .f64 a = 0d400921FB54442D18;"),
            std::vector<double>{3.141592653589793});
}

TEST(Ptx, NumbersFillAValueWhateverTheBraces) {
  EXPECT_EQ(ValueOf<uint8_t>(".global .align 1 .b8 a[6] = {104, 105};"),
            (std::vector<uint8_t>{104, 105, 0, 0, 0, 0}));
  EXPECT_EQ(ValueOf<uint32_t>(".global .u32 a[2][3] = {{1}, {2, 3}};"),
            (std::vector<uint32_t>{1, 2, 3, 0, 0, 0}));
  EXPECT_EQ(ValueOf<uint32_t>(".global .v2 .u32 a[2] = {{1, 2}, {3, 4}};"),
            (std::vector<uint32_t>{1, 2, 3, 4}));
  EXPECT_EQ(ValueOf<uint32_t>(".global .u32 a[][3] = {{1}, {2, 3}};"),
            (std::vector<uint32_t>{1, 2, 3, 0, 0, 0}));
  EXPECT_EQ(ValueOf<uint8_t>(".global .b8 a[] = {1, 0, 3, 0};"),
            (std::vector<uint8_t>{1, 0, 3, 0}));
}

TEST(Ptx, WhatIsNoPlainNumberIsZero) {
  EXPECT_EQ(ValueOf<uint64_t>(".global .u64 a[4] = {generic(b), 5, b + 8, (1 + 2)};"),
            (std::vector<uint64_t>{0, 5, 0, 0}));
  EXPECT_EQ(BytesOf(".global .u64 a = b;"), 8u);
}

TEST(Ptx, OneDeclarationMayNameSeveral) {
  Variables variables = Read(".global .u32 a = 1, b[2];").variables;
  EXPECT_EQ(variables["a"].bytes, 4u);
  EXPECT_EQ(variables["a"].value[0], std::byte{1});
  EXPECT_EQ(variables["b"].bytes, 8u);
}

TEST(Ptx, ADeclarationOfWhatIsElsewhereGivesWayToTheVariable) {
  const std::string elsewhere = ".extern .global .u32 a;";
  const std::string here = ".visible .global .u32 a = 7;";
  EXPECT_EQ(ValueOf<uint32_t>(elsewhere + here), std::vector<uint32_t>{7});
  EXPECT_EQ(ValueOf<uint32_t>(here + elsewhere), std::vector<uint32_t>{7});
}

TEST(Ptx, WhatFunctionsHaveIsNoVariable) {
  const ImageContents contents = Read(
      ".entry one(.param .u64 .ptr .global .align 4 p) { .shared .u32 s; ld.global.u32 %r1, [p]; "
      "}\n"
      ".section .debug_str { .b8 1, 2 }\n.global .u32 a;");
  ASSERT_EQ(contents.variables.size(), 1u);
  EXPECT_EQ(contents.variables.begin()->first, "a");
}

TEST(Ptx, SizesThatCannotBeAreLeftOut) {
  EXPECT_EQ(BytesOf(".extern .global .b8 a[];"), 0u);
  EXPECT_EQ(BytesOf(".global .b8 a[18446744073709551615][3];"), 0u);
  EXPECT_EQ(BytesOf(".global .b8 a[][18446744073709551615][3] = {1};"), 0u);
  EXPECT_EQ(BytesOf(".global .b8 a[n];"), 0u);
  EXPECT_EQ(BytesOf(".global .u32 a[2] = {1, 2, 3};"), 0u);
  EXPECT_EQ(BytesOf(".global .u32 a[2] = {{1}};"), 0u);
  EXPECT_EQ(BytesOf(".global .u32 a[] = {};"), 0u);
  EXPECT_EQ(BytesOf(".global .u32 a = };"), 0u);
  EXPECT_EQ(BytesOf(".global .u32 a[2] = {1;"), 0u);
  EXPECT_EQ(BytesOf(".global .texref a;"), 0u);
  EXPECT_EQ(BytesOf(".global .u32 a[2"), 0u);
}

TEST(Ptx, LargeVariablesHaveASizeOnly) {
  const Variables variables = Read(".global .b8 a[4000000] = {1};").variables;
  ASSERT_EQ(variables.size(), 1u);
  EXPECT_EQ(variables.begin()->second.bytes, 4'000'000u);
  EXPECT_TRUE(variables.begin()->second.value.empty());
}

TEST(Ptx, OtherTextHasNothing) {
  EXPECT_TRUE(ReadPtx(".global .u32 a; .entry b() {}").variables.empty());
  EXPECT_TRUE(ReadPtx("// a comment without an end").kernels.empty());
  EXPECT_TRUE(ReadPtx("").kernels.empty());
}

}  // namespace
}  // namespace simgpu::cuda
