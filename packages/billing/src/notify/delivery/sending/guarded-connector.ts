import { isIP, type LookupFunction } from 'node:net'
import { AddressNotAllowed, guardedLookup } from '@quittance/ledger'
import { buildConnector } from 'undici'

/** How connections are made. `authority`: the certificate (PEM) to trust in place of the known ones. */
export type Connecting = {
  readonly resolve: LookupFunction
  readonly isAllowed: (address: string) => boolean
  readonly timeoutMs: number
  readonly authority?: string
}

/** How long an address may not answer before the next address of the same name is tried. */
const nextAddressMs = 2_000

/**
 * Connects only to allowed addresses. Checks a host that is an address, or all the addresses of a name, and connects to
 * a checked address. Certificate, SNI and Host stay those of the name.
 */
export const guardedConnector = ({
  resolve,
  isAllowed,
  timeoutMs,
  authority,
}: Connecting): buildConnector.connector => {
  const connect = buildConnector({
    timeout: timeoutMs,
    lookup: guardedLookup(resolve, isAllowed),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressMs,
    ...(authority === undefined ? {} : { ca: authority }),
  })
  return (options, callback) => {
    const host = withoutBrackets(options.hostname)
    if (isIP(host) === 0 || isAllowed(host)) connect(options, callback)
    else callback(new AddressNotAllowed(host), null)
  }
}

/**
 * Checks all the addresses of a host, written as `URL` writes it. Rejects with `AddressNotAllowed`, or if it has none.
 */
export const checkHost = async (
  hostname: string,
  { resolve, isAllowed }: Pick<Connecting, 'resolve' | 'isAllowed'>,
): Promise<void> => {
  const host = withoutBrackets(hostname)
  if (isIP(host) !== 0) {
    if (!isAllowed(host)) throw new AddressNotAllowed(host)
    return
  }
  await new Promise<void>((allowed, refused) =>
    guardedLookup(resolve, isAllowed)(host, { all: true }, (error) => (error === null ? allowed() : refused(error))),
  )
}

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '')
