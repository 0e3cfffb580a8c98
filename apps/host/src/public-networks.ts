import type { Environment } from '@quittance/domain'

/** The public networks of Stellar by their passphrases. Source: Stellar docs, "Networks". */
export const publicPassphrases: Readonly<Record<Environment, string>> = {
  testnet: 'Test SDF Network ; September 2015',
  mainnet: 'Public Global Stellar Network ; September 2015',
}
