import { Secret, TOTP } from 'otpauth'

const periodMs = 30_000

const totpOf = (secret: string, label: string, issuer: string): TOTP =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: periodMs / 1_000 })

/** A new secret for an authenticator app, in base 32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** What the app reads as a QR code. */
export const totpUri = (secret: string, label: string, issuer: string): string =>
  totpOf(secret, label, issuer).toString()

/** The step of 30 seconds that a code is of: the present one or a neighbour, newer than `lastStep`; null for no such code. */
export const stepOfCode = (secret: string, code: string, lastStep: number, now: number): number | null => {
  const delta = totpOf(secret, '', '').validate({ token: code.replaceAll(/\s/g, ''), timestamp: now, window: 1 })
  if (delta === null) return null
  const step = Math.floor(now / periodMs) + delta
  return step > lastStep ? step : null
}
