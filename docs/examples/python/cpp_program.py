# %% [markdown]
# # A function of a C++ program
#
# A program in C++ simulates how a car passes a kerb of five centimetres, and asks which spring and which damper shake its
# passengers least. The simulation is the program's own; nothing of it is written for clopt.

# %%
import ctypes
import pathlib
import shutil
import subprocess

import matplotlib.pyplot as plt
import numpy as np

import clopt

pathlib.Path("car.cpp").write_text(r"""
#include <cstddef>
#include <vector>

// Heights of a quarter of a car, 300 kg, each millisecond behind the kerb.
std::vector<double> heights(double spring, double damper) {
  std::vector<double> all;
  for (double height = 0, speed = 0; all.size() < 2000; height += 1e-3 * speed) {
    speed += 1e-3 * (spring * (0.05 - height) - damper * speed) / 300;
    all.push_back(height);
  }
  return all;
}

// How much the car shakes, and how far it is from the road.
extern "C" double discomfort(int, const double* x) {
  const auto all = heights(x[0], x[1]);
  double sum = 0;
  for (std::size_t i = 2; i < all.size(); ++i) {
    const double shake = (all[i] - 2 * all[i - 1] + all[i - 2]) / 1e-6;
    const double off = (all[i] - 0.05) / 0.05;
    sum += 1e-3 * (shake * shake / 4 + off * off);
  }
  return sum;
}
""")

# %% [markdown]
# From Python the function is called by its address, on all threads and without Python.

# %%
subprocess.run(["c++", "-O2", "-shared", "-fPIC", "car.cpp", "-o", "libcar.so"], check=True)
car = ctypes.CDLL(pathlib.Path("libcar.so").resolve())
car.discomfort.restype, car.discomfort.argtypes = ctypes.c_double, [ctypes.c_int, ctypes.POINTER(ctypes.c_double)]
bounds = [(1e3, 1e5), (1e2, 2e4)]
best = clopt.differential_evolution(clopt.CFunction(car.discomfort), bounds, seed=1, maxiter=100)
print(f"spring {best.x[0]:.0f} N/m, damper {best.x[1]:.0f} Ns/m: {best.fun:.6f} after {best.nfev} simulations")

# %% [markdown]
# The C++ program does the same by the library. Where that is installed (`libclopt-dev`), `pkg-config` knows it. The program
# finds the same bits.

# %%
pathlib.Path("main.cpp").write_text(r"""
#include <clopt/clopt.hpp>

#include <cstdio>
#include <span>

extern "C" double discomfort(int n, const double* x);

int main() {
  try {
    const auto objective = clopt::Objective::from_real_function(
        [](std::span<const double> x) { return discomfort(2, x.data()); }, "discomfort");
    clopt::differential_evolution::Options options;
    options.generations = 100;
    const auto result = clopt::differential_evolution::solve(
        {.objective = objective, .dimensions = 2, .lower = {1e3, 1e2}, .upper = {1e5, 2e4}}, options,
        *clopt::open_device("openmp:0"));
    std::printf("%.17g %.17g %.17g\n", result.parameters[0], result.parameters[1], result.values[0]);
  } catch (const clopt::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
""")
found = None
if shutil.which("pkg-config") and subprocess.run(["pkg-config", "--exists", "clopt"]).returncode == 0:
    flags = subprocess.check_output(["pkg-config", "--cflags", "--libs", "clopt"], text=True).split()
    subprocess.run(["c++", "-std=c++20", "-O2", "main.cpp", "car.cpp", *flags, "-o", "car"], check=True)
    found = [float(each) for each in subprocess.check_output(["./car"]).split()]
    print("the program:", found, "the same:", found == [*best.x, best.fun])


# %%
def heights(spring, damper):
    height = speed = 0.0
    for _ in range(2000):
        yield height
        speed += 1e-3 * (spring * (0.05 - height) - damper * speed) / 300
        height += 1e-3 * speed


figure, ax = plt.subplots(layout="constrained")
for name, x in (("soft", (4e3, 5e2)), ("hard", (5e4, 8e3)), ("best", best.x)):
    ax.plot(np.arange(2000) * 1e-3, [100 * height for height in heights(*x)], label=f"{name}: {x[0]:.0f} N/m, {x[1]:.0f} Ns/m")
ax.axhline(5, color="0.7", linewidth=1)
ax.set(xlabel="s behind the kerb", ylabel="height of the car, cm")
ax.legend()
figure.savefig("cpp_program.png")
