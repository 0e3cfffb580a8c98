import type { Services } from '../../services/services.ts'

/** What merchants' own accounts may touch. */
export type OwnAccountServices = Pick<
  Services,
  | 'store'
  | 'readModels'
  | 'caughtUp'
  | 'cursors'
  | 'challenges'
  | 'vault'
  | 'clock'
  | 'networks'
  | 'signRequest'
  | 'publicUrl'
  | 'screening'
  | 'holding'
>
