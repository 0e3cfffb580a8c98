import { ContainerModule } from 'inversify'
import { sandboxRates } from '../../rates/sandbox-rates.ts'
import { gatewayOver } from '../nodes/gateway-over.ts'
import { LEDGER_CONFIG, LEDGER_GATEWAYS, type LedgerConfig, type LedgerGateways, RATE_SOURCE } from './tokens.ts'

const gateways = ({ testnet, mainnet, alarm }: LedgerConfig): LedgerGateways => ({
  testnet: testnet === null ? null : gatewayOver(testnet, alarm),
  mainnet: mainnet === null ? null : gatewayOver(mainnet, alarm),
})

/** Needs `LEDGER_CONFIG`. */
export const ledgerModule = new ContainerModule(({ bind }) => {
  bind(LEDGER_GATEWAYS).toResolvedValue(gateways, [LEDGER_CONFIG])
})

/** The sandbox's pinned rates. */
export const sandboxRatesModule = new ContainerModule(({ bind }) => {
  bind(RATE_SOURCE).toConstantValue(sandboxRates)
})
