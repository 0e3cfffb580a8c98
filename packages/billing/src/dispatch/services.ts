import type { Services } from '../services/services.ts'

/** What the dispatch of money may touch. */
export type DispatchServices = Pick<
  Services,
  'store' | 'readModels' | 'caughtUp' | 'cursors' | 'setbacks' | 'clock' | 'networks'
>
