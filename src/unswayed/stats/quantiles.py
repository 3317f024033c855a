"""Quantiles and tail areas of the normal, t, beta, binomial and chi-square laws.

All come from scipy.special, imported on first use, since scipy.stats takes more than a second to
import.
"""

from __future__ import annotations


def normal_quantile(p: float) -> float:
    """Return z with P(Z <= z) = p."""
    from scipy.special import ndtri

    return float(ndtri(p))


def normal_cdf(z: float) -> float:
    """Return P(Z <= z)."""
    from scipy.special import ndtr

    return float(ndtr(z))


def t_quantile(p: float, df: float) -> float:
    """Return t with P(T <= t) = p for Student's law with df degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(df, p))


def t_cdf(t: float, df: float) -> float:
    """Return P(T <= t) for Student's law with df degrees of freedom."""
    from scipy.special import stdtr

    return float(stdtr(df, t))


def beta_quantile(p: float, a: float, b: float) -> float:
    """Return x with P(X <= x) = p for the beta law with shapes a and b."""
    from scipy.special import betaincinv

    return float(betaincinv(a, b, p))


def two_sided_z(level: float) -> float:
    """Return the normal quantile of a two-sided interval at this level."""
    return normal_quantile((1 + level) / 2)


def two_sided_t(level: float, df: float) -> float:
    """Return the t quantile of a two-sided interval at this level."""
    return t_quantile((1 + level) / 2, df)


def binomial_cdf(k: int, n: int, p: float) -> float:
    """Return P(X <= k) for X binomial with n trials of probability p."""
    from scipy.special import betainc

    if k >= n:
        return 1.0
    return float(betainc(n - k, k + 1, 1 - p))


def chi_square_tail(x: float, df: int) -> float:
    """Return P(X > x) for a chi-square law with df degrees of freedom."""
    from scipy.special import chdtrc

    return float(chdtrc(df, x))
