import { isStoreFailure } from '@quittance/event-store/sqlite'

/** Leaves out what cannot be measured while the store does not answer, which `quittance_log_readable` says. */
export const whileStoreAnswers = async (
  made: { readonly reset: () => void },
  measure: () => void | Promise<void>,
): Promise<void> => {
  try {
    await measure()
  } catch (cause) {
    if (!isStoreFailure(cause)) throw cause
    made.reset()
  }
}
