import { createApp } from '../app.ts'
import type { DeclaredRoute } from '../wire/auth.ts'
import type { Operator } from './operator.ts'

/** Every route that the service declares, sandbox and all. */
export const declaredRoutes = async ({ platform }: Operator): Promise<ReadonlyArray<DeclaredRoute>> => {
  const { billing, catchUp, readiness, sandbox } = platform
  if (sandbox === null) throw new Error('there is no sandbox')
  const work = { settle: async () => {}, nextDue: async () => null }
  const app = await createApp(billing, {
    logLevel: 'silent',
    payerRateLimit: 1,
    catchUp,
    readiness,
    sandbox: {
      sandbox: sandbox.sandbox,
      network: { ...sandbox, networkPassphrase: sandbox.sandbox.networkPassphrase },
      work,
    },
  })
  return app.routes
}
