// `card_fault WORLD CARD XID`: a simulated card, by its number from 0, reports a fault to all who
// listen for its events.
#include <stdio.h>
#include <stdlib.h>

#include <string>

#include "simgpu/world/world.h"

int main(int count, char** words) {
  if (count != 4) {
    fprintf(stderr, "usage: card_fault WORLD CARD XID\n");
    return 2;
  }
  std::string error;
  const auto world = simgpu::world::World::Open({.directory = words[1], .source = {}}, &error);
  const int card = atoi(words[2]);
  if (world == nullptr || card < 0 || card >= world->card_count()) {
    fprintf(stderr, "card_fault: %s\n", world == nullptr ? error.c_str() : "no such card");
    return 1;
  }
  world->events().Inject(card, static_cast<uint32_t>(atoi(words[3])));
}
