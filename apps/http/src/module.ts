import { BILLING, SERVICES } from '@quittance/billing'
import * as host from '@quittance/host'
import { ContainerModule } from 'inversify'
import { createApp } from './app.ts'
import { httpService } from './http-service.ts'
import { listeners } from './listeners.ts'
import { metricsOf } from './metrics/serve-metrics.ts'
import { API_SERVER, HTTP_SERVICE, LISTENERS, MAKE_APP, WELCOME } from './tokens.ts'
import { welcome } from './welcome.ts'
import { createServer } from './wire/server.ts'
import { traceRequests } from './wire/trace-requests.ts'

export const httpModule = new ContainerModule(({ bind }) => {
  bind(API_SERVER).toResolvedValue(
    ({ logLevel, trustedProxies, tracing }) => {
      const server = createServer(logLevel, undefined, trustedProxies)
      if (tracing !== null) traceRequests(server)
      return { server }
    },
    [host.CONFIG],
  )
  bind(host.OPERATOR_LOG).toResolvedValue(({ server }) => server.log, [API_SERVER])
  bind(LISTENERS).toResolvedValue(
    (config, { server }, health, billing, { store }) =>
      listeners(config, server, metricsOf(server, health, billing, store, config.operatorToken)),
    [host.CONFIG, API_SERVER, host.HEALTH, BILLING, SERVICES],
  )
  bind(MAKE_APP).toResolvedValue(
    (
      { server },
      billing,
      { payerRateLimit, keyRateLimit, networks, walletConnect },
      address,
      catchUp,
      { readiness },
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
      host.HEALTH,
      host.SANDBOX_NODE,
      host.SANDBOX_INBOX,
      host.BACKGROUND_WORK,
    ],
  )
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
