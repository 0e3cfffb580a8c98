import type { xdr } from '@stellar/stellar-sdk'
import { failingAs, hostError } from '../host-error.ts'
import { isSameAddress } from '../values/sc-values.ts'
import type { AuthContext, AuthPolicy } from './authorization.ts'
import { type Credentials, credentialsIn, signaturePayload, signerOf } from './credentials.ts'
import { agreedIn, functionId } from './invocation-tree.ts'
import { spendNonce } from './nonces.ts'
import { checkSignatures } from './signatures.ts'
import { type Tracker, tracker } from './tracker.ts'

type Given = { readonly credentials: Credentials; readonly tracker: Tracker; readonly verify: () => void }

const notSigned = hostError('auth', 'invalidAction', 'failed account authentication')

/** Signatures are checked, and nonces spent, when an entry is first made use of: others cost nothing. */
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

/** Every call that asks for an address must be found among these entries, in the tree in which it runs. */
export const enforced = (entries: ReadonlyArray<xdr.SorobanAuthorizationEntry>, context: AuthContext): AuthPolicy => {
  const given: ReadonlyArray<Given> = entries.flatMap((entry) => {
    const credentials = credentialsIn(entry, context.source)
    if (credentials === undefined) return []
    const verify = verifier(entry, credentials, context)
    return [{ credentials, tracker: tracker(agreedIn(entry.rootInvocation), context.journal, 0), verify }]
  })
  return {
    entries: () => entries,
    trackers: () => given.map((each) => each.tracker),
    require: (address, call) => {
      const id = functionId(call)
      const own = given.filter(({ credentials }) => isSameAddress(credentials.address, address))
      // What runs inside an agreed call has to be agreed to in the same tree, not in another one beside it.
      const isInside = own.some((each) => each.tracker.isActive() && !each.tracker.isMatchedHere())
      const found = own.find((each) => each.tracker.match(id, !isInside))
      if (found === undefined) throw hostError('auth', 'invalidAction', 'Unauthorized function call for address')
      found.verify()
    },
  }
}
