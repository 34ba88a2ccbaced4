"""
A map from masked and noisy data, by gradients
==============================================

The most probable sky behind a noisy map with holes: a likelihood and a prior, differentiated by
JAX, descended by gradients. The transform is a step of the compiled program.
"""
# sphinx_gallery_thumbnail_number = 2
import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np

import armilla
import armilla.healpy as hp
from armilla import jax as aj

jax.config.update("jax_enable_x64", True)

nside, lmax, noise = 32, 48, 0.4
sht = armilla.SHT(armilla.Grid.healpix(nside), lmax)
cl = 1 / (1 + np.arange(lmax + 1.0)) ** 2.5
truth = sht.synthesis(armilla.alm.random(lmax, cl, seed=5))

rng = np.random.default_rng(6)
theta, phi = armilla.healpix.pixel_to_ang(nside, np.arange(truth.size))
seen = (np.abs(theta - np.pi / 2) > np.radians(8)) & (rng.random(truth.size) > 0.1)
data = np.where(seen, truth + noise * rng.standard_normal(truth.size), 0)

# %%
# The unknowns are coefficients of unit variance; ``root`` gives them the spectrum of the sky. A
# coefficient with m > 0 stands for two.
order = np.concatenate([np.full(lmax + 1 - m, m) for m in range(lmax + 1)])
degree = np.concatenate([np.arange(m, lmax + 1) for m in range(lmax + 1)])
root, twice = jnp.asarray(np.sqrt(cl)[degree]), jnp.asarray(np.where(order > 0, 2.0, 1.0))


@jax.jit
def loss(x):
    rest = jnp.asarray(seen) * (aj.synthesis(sht, root * x) - data)
    return (jnp.sum(rest ** 2) / noise ** 2 + jnp.sum(twice * jnp.abs(x) ** 2)) / 2


# %%
# Descent with momentum. Gradients follow JAX' convention: their conjugate points uphill.
gradient = jax.jit(jax.grad(loss))
x, step = jnp.zeros(sht.alm_shape, complex), jnp.zeros(sht.alm_shape, complex)
rate = 1 / (2 + 2 * truth.size / (4 * np.pi) * cl[0] / noise ** 2)
losses = []
for _ in range(150):
    losses.append(float(loss(x)))
    step = 0.9 * step - rate * jnp.conj(gradient(x))
    x = x + step
found = sht.synthesis(np.asarray(root * x))

# %%
plt.figure(figsize=(6, 3), layout="constrained")
plt.semilogy(np.array(losses) - min(losses) + 1)
plt.xlabel("step")
plt.ylabel("loss above the last one")

plt.figure(figsize=(10, 5.6)).subplots_adjust(0.01, 0.01, 0.99, 0.97, 0.02, 0.06)
limit = 3 * truth.std()
for place, values, title in ((1, np.where(seen, data, armilla.io.UNSEEN), "data"),
                             (2, found, "most probable sky"), (3, truth, "truth"),
                             (4, found - truth, "error")):
    hp.mollview(values, sub=(2, 2, place), title=title, min=-limit, max=limit, cbar=False)
plt.show()
