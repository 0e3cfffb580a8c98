import type { Billing, CommandContext } from '@quittance/billing'
import type { Environment } from '@quittance/domain'
import type { ConfigProblem } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Complaint } from './complaint.ts'

/** What commands work on: a data directory. */
export type Site = {
  /** The file of the event log, which need not be there. */
  readonly eventLog: string
  /** Opens the directory, making it where it is missing, and closes it after the work. */
  readonly withBilling: <A>(work: (billing: Billing) => TE.TaskEither<Complaint, A>) => TE.TaskEither<Complaint, A>
}

/** The data directory of a configuration. Errors: every problem of the configuration, in one complaint. */
export const siteOf = async (
  environment: Readonly<Record<string, string | undefined>>,
): Promise<E.Either<Complaint, Site>> => {
  // Loaded only here: it brings the whole service along, and help should appear at once.
  const { configFrom, dataFiles, openPlatform } = await import('@quittance/host')
  const config = configFrom(environment)
  if (E.isLeft(config)) return E.left(misconfigured(config.left))
  return E.right({
    eventLog: dataFiles(config.right.dataDir).events,
    withBilling: (work) => async () => {
      // Ledgers are followed by the service; here nobody does, so nothing can halt.
      const opened = await openPlatform(config.right, () => {})
      if (E.isLeft(opened)) return E.left(misconfigured(opened.left))
      try {
        return await work(opened.right.billing)()
      } finally {
        await opened.right.close()
      }
    },
  })
}

const misconfigured = (problems: ReadonlyArray<ConfigProblem>): Complaint => ({
  status: 2,
  code: 'invalid_configuration',
  error: problems.map(({ variable, expected }) => `${variable} must be ${expected}`).join('\n'),
})

/** A fresh command of the person at the command line, at this moment. */
export const operatorContext = (
  { clock, freshId }: Billing,
  environment: Environment,
): Omit<CommandContext, 'merchantId'> => {
  const commandId = freshId()
  return { environment, commandId, correlationId: commandId, causationId: null, actor: 'operator', at: clock.now() }
}
