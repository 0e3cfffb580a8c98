import { BILLING } from '@quittance/billing'
import {
  BACKGROUND_WORK,
  CATCH_UP,
  CLOSERS,
  CONFIG,
  DATA_DIR,
  HEALTH,
  OPERATOR_LOG,
  PUBLIC_ADDRESS,
  SANDBOX_NODE,
} from '@quittance/host'
import { ContainerModule } from 'inversify'
import { createApp } from './app.ts'
import { httpService } from './http-service.ts'
import { listeners } from './listeners.ts'
import { metricsOf } from './metrics/serve-metrics.ts'
import { API_SERVER, HTTP_SERVICE, LISTENERS, MAKE_APP, WELCOME } from './tokens.ts'
import { welcome } from './welcome.ts'
import { createServer } from './wire/server.ts'

export const httpModule = new ContainerModule(({ bind }) => {
  bind(API_SERVER).toResolvedValue(({ logLevel }) => ({ server: createServer(logLevel) }), [CONFIG])
  bind(OPERATOR_LOG).toResolvedValue(({ server }) => server.log, [API_SERVER])
  bind(LISTENERS).toResolvedValue(
    (config, { server }, health) => listeners(config, server, metricsOf(server, health)),
    [CONFIG, API_SERVER, HEALTH],
  )
  bind(MAKE_APP).toResolvedValue(
    ({ server }, billing, { payerRateLimit }, catchUp, { readiness }, sandbox, work) =>
      () =>
        createApp(server, billing, { payerRateLimit, catchUp, readiness, sandbox, work }),
    [API_SERVER, BILLING, CONFIG, CATCH_UP, HEALTH, SANDBOX_NODE, BACKGROUND_WORK],
  )
  bind(WELCOME).toResolvedValue(welcome, [BILLING, SANDBOX_NODE, DATA_DIR])
  bind(HTTP_SERVICE).toResolvedValue(httpService, [
    MAKE_APP,
    LISTENERS,
    PUBLIC_ADDRESS,
    BACKGROUND_WORK,
    SANDBOX_NODE,
    WELCOME,
    CLOSERS,
  ])
})
