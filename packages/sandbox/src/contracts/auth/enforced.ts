import type { xdr } from '@stellar/stellar-sdk'
import { failingAs, hostError } from '../host-error.ts'
import { isSameAddress } from '../values/sc-values.ts'
import type { AuthContext, AuthPolicy } from './authorization.ts'
import { authorizedCallsIn, functionId } from './authorized-calls.ts'
import { type Credentials, credentialsIn, signaturePayload, signerOf } from './credentials.ts'
import { spendNonce } from './nonces.ts'
import { checkSignatures } from './signatures.ts'
import { type Tracker, tracker } from './tracker.ts'

type Supplied = {
  readonly credentials: Credentials
  readonly tracker: Tracker
  readonly verify: () => void
}

const notSigned = hostError('auth', 'invalidAction', 'failed account authentication')

/** Checks the signature and spends the nonce when an entry is first used; unused entries cost nothing. */
const verifier = (entry: xdr.SorobanAuthorizationEntry, credentials: Credentials, context: AuthContext) => {
  const { storage, journal, meter, networkId, sequence } = context
  let isVerified = credentials._tag === 'source'
  return () => {
    if (isVerified || credentials._tag === 'source') return
    const { address, signed } = credentials
    failingAs(notSigned, () =>
      checkSignatures(
        storage.classic,
        meter,
        signerOf(address),
        signaturePayload(entry, signed, networkId),
        signed.signature,
      ),
    )
    spendNonce(storage, sequence, address, signed.nonce, signed.signatureExpirationLedger)
    isVerified = true
    journal.note(() => {
      isVerified = false
    })
  }
}

/** Looks up each call that requires an address in the supplied entries, at its place in the call tree. */
export const enforced = (entries: ReadonlyArray<xdr.SorobanAuthorizationEntry>, context: AuthContext): AuthPolicy => {
  const supplied: ReadonlyArray<Supplied> = entries.flatMap((entry) => {
    const credentials = credentialsIn(entry, context.source)
    if (credentials === undefined) return []
    const verify = verifier(entry, credentials, context)
    return [{ credentials, tracker: tracker(authorizedCallsIn(entry.rootInvocation), context.journal, 0), verify }]
  })
  return {
    entries: () => entries,
    trackers: () => supplied.map((each) => each.tracker),
    require: (address, call) => {
      const id = functionId(call)
      const own = supplied.filter(({ credentials }) => isSameAddress(credentials.address, address))
      // A call inside an authorized call must be authorized in the same tree.
      const isInside = own.some((each) => each.tracker.isActive() && !each.tracker.isMatchedHere())
      const found = own.find((each) => each.tracker.match(id, !isInside))
      if (found === undefined) throw hostError('auth', 'invalidAction', 'Unauthorized function call for address')
      found.verify()
    },
  }
}
