import { createMailing, type Services } from '@quittance/billing'
import { isStoreFailure } from '@quittance/event-store/sqlite'
import type { OperatorLog } from '../operator-log.ts'

/** Sends mails until the signal aborts. The log names no person: it tells that mails do not go out, once, and its end. */
export type RunMailing = (signal: AbortSignal) => Promise<void>

export const runMailing =
  (services: Services, log: OperatorLog): RunMailing =>
  (signal) => {
    let lastDefect: string | null = null
    return createMailing(services).run(
      signal,
      (trouble) => {
        if (trouble === null) log.warn({}, 'mails go out again')
        else
          log.warn(
            { reason: trouble._tag, ...('cause' in trouble && { cause: trouble.cause }) },
            'a mail does not go out',
          )
      },
      (defect) => {
        const reason = String(defect)
        if (reason !== lastDefect && isStoreFailure(defect)) log.warn({ reason }, 'mails cannot be read')
        else if (reason !== lastDefect) log.error({ err: defect }, 'a defect in the sending of mails')
        lastDefect = reason
      },
    )
  }
