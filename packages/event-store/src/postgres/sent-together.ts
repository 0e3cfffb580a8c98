import { isOfFailedTransaction } from './failures.ts'

/**
 * Awaits work whose statements are sent together. Errors: throws the failure that made the others fail, once nothing of
 * them is under way.
 */
export const sentTogether = async (work: ReadonlyArray<Promise<unknown>>): Promise<void> => {
  const failures = (await Promise.allSettled(work)).flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  const cause = failures.find((each) => !isOfFailedTransaction(each)) ?? failures[0]
  if (cause !== undefined) throw cause
}
