import type { Services } from '../../services/services.ts'

/** What proofs of wallets may touch. */
export type WalletServices = Pick<
  Services,
  'store' | 'readModels' | 'caughtUp' | 'challenges' | 'vault' | 'clock' | 'networks' | 'publicUrl'
>
