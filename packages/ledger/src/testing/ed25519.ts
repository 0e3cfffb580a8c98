export { privateKeyOf, signBytes } from '../signing/ed25519.ts'
