import { isIP, type LookupFunction } from 'node:net'
import { AddressNotAllowed, guardedLookup } from '@quittance/ledger'
import { buildConnector } from 'undici'

/** How connections are made. `authority`: the certificate (PEM) to trust, where not the known ones. */
export type Connecting = {
  readonly resolve: LookupFunction
  readonly isAllowed: (address: string) => boolean
  readonly timeoutMs: number
  readonly authority?: string
}

/** After so long, an address that does not answer makes way for the next of the same name. */
const nextAddressMs = 2_000

/**
 * Connects to allowed addresses alone. A host that is an address is judged as it stands; a name by all that it resolves
 * to, and the connection goes to one of the addresses that were judged. Certificate, SNI and Host stay the name's.
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

/** Judges a host, as `URL` writes it, by all its addresses. Rejects with `AddressNotAllowed`, or where it has none. */
export const judged = async (
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
