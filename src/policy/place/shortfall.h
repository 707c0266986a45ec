// How much will be missing, of something wanted in a normally distributed amount.
#pragma once

namespace warpshare::place {

// The mean of max(0, z + x) for a standard normal x: what is missing, in deviations, where in the
// mean z is. From a table, since placement asks for it twice a node; off by less than 0.0002, and
// strictly growing down to -38, so that no two different risks look the same.
double Shortfall(double z);

}  // namespace warpshare::place
