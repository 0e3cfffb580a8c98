import {
  type Environment,
  Merchant,
  type MerchantProfile,
  type MerchantRejection,
  type MerchantState,
  type Text,
  type UnixMs,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { CommandContext, ExecuteFailure } from '../../kernel/execute.ts'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { executeExpecting } from '../../kernel/step.ts'
import { platformFeeFields } from '../../resources/platform-fee.ts'
import type { Services } from '../../services/services.ts'
import { type Mailers, mailsCustomers } from '../../stores/mail/mailer.ts'

type MerchantNotFound = Extract<MerchantRejection, { readonly _tag: 'MerchantNotFound' }>

/** What a merchant changes of its profile. Undefined stays, null is removed. */
export type ChangedProfile = {
  readonly [Field in keyof Shown]: MerchantProfile[Field] | undefined
} & {
  readonly logo: Text | null | undefined
  readonly customerMails?: boolean | null | undefined
  readonly noticesTo?: Text | null | undefined
}
type Shown = Omit<MerchantProfile, 'customerMails' | 'noticesTo'>

/** Who a merchant is, as its customers see it; in each environment for itself. */
export interface MerchantProfiles {
  readonly show: (scope: Scope) => TE.TaskEither<StoreUnavailable | MerchantNotFound, MerchantResource>
  readonly change: (
    context: CommandContext,
    changed: ChangedProfile,
  ) => TE.TaskEither<ExecuteFailure | MerchantNotFound, MerchantResource>
}

export const merchantProfiles = ({
  store,
  clock,
  mailers,
}: Pick<Services, 'store' | 'clock' | 'mailers'>): MerchantProfiles => ({
  show:
    ({ merchantId, environment }) =>
    async () => {
      const found = await stateOf(store)(Merchant, merchantId)
      return E.isLeft(found) ? found : shownIn(found.right.state, environment, clock.now(environment), mailers)
    },
  change: (context, changed) => async () => {
    const { merchantId, environment } = context
    const decide = (state: MerchantState) => {
      if (state.status === 'absent') return E.left<MerchantRejection>({ _tag: 'MerchantNotFound' })
      const { profile, logo } = state.environments[environment]
      const wanted = {
        legalName: changed.legalName === undefined ? profile.legalName : changed.legalName,
        address: changed.address === undefined ? profile.address : changed.address,
        taxId: changed.taxId === undefined ? profile.taxId : changed.taxId,
        supportContact: changed.supportContact === undefined ? profile.supportContact : changed.supportContact,
        terms: changed.terms === undefined ? profile.terms : changed.terms,
        ...kept('customerMails', changed.customerMails, profile.customerMails),
        ...kept('noticesTo', changed.noticesTo, profile.noticesTo),
      }
      const command = { environment, profile: wanted, logo: changed.logo === undefined ? logo : changed.logo }
      return Merchant.decider.decide({ type: 'SetProfile', ...command })(state)
    }
    const done = await executeExpecting(store)(['MerchantNotFound'], Merchant, merchantId, context, decide)
    return E.isLeft(done) ? done : shownIn(done.right.state, environment, clock.now(environment), mailers)
  },
})

/** A field that may be missing: as it was where nothing is said, and gone where null is. */
const kept = <Name extends string, A>(name: Name, changed: A | null | undefined, known: A | undefined) => {
  const value = changed === undefined ? known : (changed ?? undefined)
  return value === undefined ? {} : { [name]: value }
}

const shownIn = (
  merchant: MerchantState,
  environment: Environment,
  at: UnixMs,
  mailers: Mailers,
): E.Either<MerchantNotFound, MerchantResource> =>
  merchant.status === 'absent'
    ? E.left({ _tag: 'MerchantNotFound' })
    : E.right(resource(merchant, environment, at, mailers))

const resource = (
  { name, environments }: Extract<MerchantState, { readonly status: 'active' }>,
  environment: Environment,
  at: UnixMs,
  mailers: Mailers,
) => {
  const { profile, logo, platformFees } = environments[environment]
  return {
    object: 'merchant' as const,
    environment,
    name,
    legal_name: profile.legalName,
    address: profile.address,
    tax_id: profile.taxId,
    support_contact: profile.supportContact,
    terms: profile.terms,
    logo,
    customer_mails: mailsCustomers(profile, mailers[environment]),
    notices_to: profile.noticesTo ?? null,
    ...platformFeeFields(platformFees, at),
  }
}
type MerchantResource = ReturnType<typeof resource>
