import type { Environment } from '@quittance/domain'
import type { ServiceIdentifier } from 'inversify'
import type { LedgerGateway } from '../../gateway.ts'
import type { RateSource } from '../../rates/source.ts'
import type { RpcOptions } from '../rpc-gateway.ts'

/** The node of each environment; null where none is configured. */
export type LedgerConfig = Readonly<Record<Environment, RpcOptions | null>>

/** The ledger of each environment; null where none is configured. */
export type LedgerGateways = Readonly<Record<Environment, LedgerGateway | null>>

export const LEDGER_CONFIG: ServiceIdentifier<LedgerConfig> = Symbol.for('ledger/LedgerConfig')
export const LEDGER_GATEWAYS: ServiceIdentifier<LedgerGateways> = Symbol.for('ledger/LedgerGateways')
export const RATE_SOURCE: ServiceIdentifier<RateSource> = Symbol.for('ledger/RateSource')
