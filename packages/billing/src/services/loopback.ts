import type { Environment } from '@quittance/domain'
import type { Services } from './services.ts'

/**
 * Whether endpoints may be on this machine, to try things out: in the sandbox, which alone provisions accounts, and only
 * where there is no real network, beside which other things listen here.
 */
export const mayBeLoopback = ({ networks }: Pick<Services, 'networks'>, environment: Environment): boolean =>
  networks[environment] !== null && Object.values(networks).every((network) => network === null || network.provision)
