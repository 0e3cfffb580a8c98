import { Merchant, type MerchantProfile } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { rememberedStates } from '../../kernel/remembered.ts'
import type { Services } from '../../services/services.ts'
import { mailsCustomers } from '../../stores/mail/mailer.ts'

/** What a merchant wants to have mailed, and who it is. */
export type MailSettings = {
  readonly merchant: string
  readonly profile: MerchantProfile
  readonly customerMails: boolean
  readonly noticesTo: string | null
}

/** Null for a merchant that has left. Throws while the log cannot be read, so that nothing is passed over. */
export const mailSettings = ({ store, mailers, left }: Pick<Services, 'store' | 'mailers' | 'left'>) => {
  const merchantOf = rememberedStates(store, Merchant)
  return async ({ merchantId, environment }: Scope): Promise<MailSettings | null> => {
    if (await left.has(merchantId)) return null
    const merchant = await merchantOf(merchantId)
    if (E.isLeft(merchant)) throw new Error('the log cannot be read', { cause: merchant.left.cause })
    if (merchant.right.status === 'absent') return null
    const { profile } = merchant.right.environments[environment]
    return {
      merchant: merchant.right.name,
      profile,
      customerMails: mailsCustomers(profile, mailers[environment]),
      noticesTo: profile.noticesTo ?? null,
    }
  }
}
