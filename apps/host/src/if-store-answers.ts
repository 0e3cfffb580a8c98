import { isStoreFailure } from '@quittance/event-store/sqlite'
import { inTime } from './in-time.ts'

/** Load balancers wait a second. */
const answerWithinMs = 800

/** What is read from the store; null where that fails, or takes too long. */
export const ifStoreAnswers = <A>(read: () => Promise<A>): (() => Promise<A | null>) =>
  inTime(async () => {
    try {
      return await read()
    } catch (cause) {
      if (isStoreFailure(cause)) return null
      throw cause
    }
  }, answerWithinMs)
