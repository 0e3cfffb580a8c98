import * as billing from '@quittance/billing'
import * as ledger from '@quittance/ledger'
import { ContainerModule } from 'inversify'
import { raiseAlarms } from '../alarm-webhook.ts'
import { closedLater } from '../closers.ts'
import { ledgerConfig, liveQuoter, networks, pathsBy } from '../networks.ts'
import * as host from './tokens.ts'

/** The networks of both environments, with their nodes, rates and paths. */
export const networksModule = new ContainerModule(({ bind }) => {
  bind(host.ALARM).toResolvedValue(raiseAlarms, [host.CONFIG, host.PUBLIC_ADDRESS, host.OPERATOR_LOG, host.CLOSERS])
  bind(ledger.LEDGER_CONFIG).toResolvedValue(
    (config, node, raise) => ledgerConfig(config, node, (alarm) => raise(alarm, null)),
    [host.CONFIG, host.SANDBOX_NODE, host.ALARM],
  )
  bind(host.RATE_WATCH).toResolvedValue(
    (clock, log) =>
      ledger.rateWatch(
        () => billing.deploymentTime(clock),
        (trouble, isOver, detail) => log.warn({ trouble, detail }, isOver ? 'rates: over' : 'rates: trouble'),
      ),
    [billing.CLOCK, host.OPERATOR_LOG],
  )
  bind(host.LIVE_RATES).toResolvedValue(
    ({ rates }, clock, watch, closers) =>
      rates === null
        ? null
        : closedLater(
            closers,
            ledger.liveRates(rates, () => billing.deploymentTime(clock), watch.ofDocument),
          ),
    [host.CONFIG, billing.CLOCK, host.RATE_WATCH, host.CLOSERS],
  )
  bind(host.LIVE_QUOTER).toResolvedValue(liveQuoter, [host.LIVE_RATES, billing.RATE_MEMORY, host.RATE_WATCH])
  bind(host.PATHS).toResolvedValue(pathsBy, [host.CONFIG, host.SANDBOX_NODE, host.LIVE_RATES, host.CLOSERS])
  bind(host.NETWORKS).toResolvedValue(networks, [
    ledger.LEDGER_GATEWAYS,
    ledger.RATE_SOURCE,
    host.LIVE_QUOTER,
    host.SANDBOX_NODE,
    host.PATHS,
    host.CONFIG,
  ])
})
