export const environments = ['testnet', 'mainnet'] as const
