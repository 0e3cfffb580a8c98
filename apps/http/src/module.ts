import { BILLING, SERVICES } from '@quittance/billing'
import * as host from '@quittance/host'
import { ContainerModule } from 'inversify'
import { createApp } from './app.ts'
import { httpService } from './http-service.ts'
import { listeners } from './listeners.ts'
import { metricsOf } from './metrics/serve-metrics.ts'
import type { MainProcess } from './processes/messages.ts'
import { readinessOfMain } from './processes/readiness-of-main.ts'
import { siblingService } from './processes/sibling-service.ts'
import { siblings } from './processes/siblings.ts'
import { API_SERVER, HTTP_SERVICE, LISTENERS, MAKE_APP, READINESS, SIBLING_SERVICE, WELCOME } from './tokens.ts'
import { welcome } from './welcome.ts'
import { createServer } from './wire/server.ts'
import { traceRequests } from './wire/trace-requests.ts'

/** The API of any process of the service, which does not listen yet. */
const apiModule = new ContainerModule(({ bind }) => {
  bind(API_SERVER).toResolvedValue(
    ({ logLevel, trustedProxies, tracing }) => {
      const server = createServer(logLevel, undefined, trustedProxies)
      if (tracing !== null) traceRequests(server)
      return { server }
    },
    [host.CONFIG],
  )
  bind(host.OPERATOR_LOG).toResolvedValue(({ server }) => server.log, [API_SERVER])
  bind(MAKE_APP).toResolvedValue(
    (
      { server },
      billing,
      { payerRateLimit, keyRateLimit, networks, walletConnect },
      address,
      catchUp,
      readiness,
      sandbox,
      inbox,
      work,
    ) =>
      () =>
        createApp(server, billing, {
          publicUrl: address.url,
          payerRateLimit,
          keyRateLimit,
          catchUp,
          readiness,
          sandbox,
          walletConnect,
          explorers: { testnet: networks.testnet.explorer, mainnet: networks.mainnet.explorer },
          inbox,
          work,
        }),
    [
      API_SERVER,
      BILLING,
      host.CONFIG,
      host.PUBLIC_ADDRESS,
      host.CATCH_UP,
      READINESS,
      host.SANDBOX_NODE,
      host.SANDBOX_INBOX,
      host.BACKGROUND_WORK,
    ],
  )
})

/** What the main process does beside that. */
const mainModule = new ContainerModule(({ bind }) => {
  bind(LISTENERS).toResolvedValue(
    (config, { server }, health, billing, { store }) => {
      const others = config.processes === 1 ? null : siblings(config.processes - 1, server.log)
      const metrics = metricsOf(server, health, billing, store, config.operatorToken, others)
      return listeners(config, server, metrics, others)
    },
    [host.CONFIG, API_SERVER, host.HEALTH, BILLING, SERVICES],
  )
  bind(READINESS).toResolvedValue(({ readiness }) => readiness, [host.HEALTH])
  bind(WELCOME).toResolvedValue(welcome, [BILLING, host.SANDBOX_NODE, host.DATA_DIR, host.CONFIG])
  bind(HTTP_SERVICE).toResolvedValue(httpService, [
    MAKE_APP,
    LISTENERS,
    host.PUBLIC_ADDRESS,
    host.BACKGROUND_WORK,
    host.RUN_MAILING,
    host.SANDBOX_NODE,
    WELCOME,
    host.CLOSERS,
    host.HEALTH,
    host.CONFIG,
  ])
})

export const httpModules = [apiModule, mainModule]

/** A process that answers requests beside the main one. */
export const siblingModules = (main: MainProcess) => [
  apiModule,
  new ContainerModule(({ bind }) => {
    bind(READINESS).toConstantValue(readinessOfMain(main))
    bind(SIBLING_SERVICE).toResolvedValue(
      (makeApp, { server }, address, closers) => siblingService(makeApp, server, address, main, closers),
      [MAKE_APP, API_SERVER, host.PUBLIC_ADDRESS, host.CLOSERS],
    )
  }),
]
