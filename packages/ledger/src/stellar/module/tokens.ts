import type { Environment } from '@quittance/domain'
import type { ServiceIdentifier } from 'inversify'
import type { LedgerGateway } from '../../gateway.ts'
import type { RateSource } from '../../rates/source.ts'
import type { RpcNodes } from '../nodes/gateway-over.ts'
import type { NodeAlarm } from '../nodes/node-alarm.ts'

/** The nodes of each environment; null where none is configured. `alarm` is told of those that are not believed. */
export type LedgerConfig = Readonly<Record<Environment, RpcNodes | null>> & {
  readonly alarm: (alarm: NodeAlarm) => void
}

/** The ledger of each environment; null where none is configured. */
export type LedgerGateways = Readonly<Record<Environment, LedgerGateway | null>>

/** The nodes of each environment. */
export const LEDGER_CONFIG: ServiceIdentifier<LedgerConfig> = Symbol.for('ledger/LedgerConfig')
/** The gateway of each environment. */
export const LEDGER_GATEWAYS: ServiceIdentifier<LedgerGateways> = Symbol.for('ledger/LedgerGateways')
/** The source of exchange rates. */
export const RATE_SOURCE: ServiceIdentifier<RateSource> = Symbol.for('ledger/RateSource')
