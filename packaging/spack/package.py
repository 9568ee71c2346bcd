"""A package of Spack: `spack repo add` a repository with this file as packages/clopt/package.py."""

from spack.package import *


class Clopt(CMakePackage):
    """Optimisation solvers for OpenCL devices and processors: subset-sum, a genetic algorithm, differential evolution,
    ECGA, schedules of the complete exchange, and fits of curves. One seed gives the same bits on every device."""

    # There is no archive of sources yet: `spack dev-build clopt@0.2.0` builds the checkout that it is started in.
    version("0.2.0")

    license("Apache-2.0")

    variant("opencl", default=True, description="The OpenCL backend")
    variant("program", default=True, description="The program clopt")
    variant("clp", default=False, description="Exact bounds of the complete exchange by CLP")
    variant("shared", default=True, description="A shared library with backends beside it, not a static one")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("boost", type="build")
    depends_on("fmt")
    depends_on("nlohmann-json")
    depends_on("random123")
    depends_on("xxhash")
    depends_on("boost+program_options", when="+program")
    depends_on("opencl-icd-loader", when="+opencl")
    depends_on("opencl-c-headers", when="+opencl")
    depends_on("opencl-clhpp", when="+opencl")
    depends_on("clp", when="+clp")

    generator("ninja")
    requires("%gcc@12:", "%clang@15:", policy="one_of", msg="clopt is written in C++20")

    def cmake_args(self):
        return [
            self.define_from_variant("CLOPT_OPENCL", "opencl"),
            self.define_from_variant("CLOPT_BUILD_PROGRAM", "program"),
            self.define_from_variant("CLOPT_CLP", "clp"),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("CLOPT_BUILD_TESTS", False),
        ]
