import type { Environment } from '@quittance/domain'
import type { ServiceIdentifier } from 'inversify'
import type { LedgerGateway } from '../../gateway.ts'
import type { RateSource } from '../../rates/source.ts'
import type { RpcNodes } from '../nodes/gateway-over.ts'
import type { NodeSetAside } from '../nodes/node-alarm.ts'

/** The nodes of each environment; null where none is configured. `alarm` is told once of each that is set aside. */
export type LedgerConfig = Readonly<Record<Environment, RpcNodes | null>> & {
  readonly alarm: (setAside: NodeSetAside) => void
}

/** The ledger of each environment; null where none is configured. */
export type LedgerGateways = Readonly<Record<Environment, LedgerGateway | null>>

export const LEDGER_CONFIG: ServiceIdentifier<LedgerConfig> = Symbol.for('ledger/LedgerConfig')
export const LEDGER_GATEWAYS: ServiceIdentifier<LedgerGateways> = Symbol.for('ledger/LedgerGateways')
export const RATE_SOURCE: ServiceIdentifier<RateSource> = Symbol.for('ledger/RateSource')
