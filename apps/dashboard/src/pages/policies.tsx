import type { Limits as Bounds, Merchant } from '@quittance/client/wire'
import { useState } from 'preact/hooks'
import { amount, assetCode, dateTime, money, percent } from '../format.ts'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { useLoaded } from '../service/loaded.ts'
import { hasAllRights, may } from '../service/session.ts'
import { ActionForm, demandedIn, textIn } from '../ui/action.tsx'
import { CancelButton, Dialog } from '../ui/dialog.tsx'
import { Check, Choice, Field, TextField } from '../ui/field.tsx'
import { Facts, Page, Section } from '../ui/page.tsx'
import { Shown } from '../ui/states.tsx'
import { Timeline } from '../ui/timeline.tsx'

/** Who sells, on which terms, and how much may go out before a second person has to agree. */
export const Policies = () => {
  const merchant = useLoaded(() => api.merchant.retrieve())
  const limits = useLoaded(() => api.approvals.limits())
  const { places, policies } = words.value
  return (
    <Page title={places.policies} intro={policies.intro}>
      <Section title={policies.seller}>
        <Shown of={merchant}>{(value) => <Seller of={value} reload={merchant.reload} />}</Shown>
      </Section>
      <Section title={policies.limits}>
        <Shown of={limits}>{(value) => <Limits of={value} reload={limits.reload} />}</Shown>
      </Section>
      <Timeline id="merchant" of={(query) => api.merchant.history(query)} />
    </Page>
  )
}

type Fee = NonNullable<Merchant['platform_fee']>

const feeText = ({ basis_points, fixed }: Fee): string =>
  [percent(basis_points / 10_000), ...fixed.map((each) => amount(`${each.amount} ${assetCode(each.asset_id)}`))].join(
    ' + ',
  )

/** A chosen picture as a `data:` URI; undefined if none was chosen. */
const pictureIn = async (form: FormData): Promise<string | undefined> => {
  const file = form.get('logo')
  if (!(file instanceof File) || file.size === 0) return undefined
  const bytes = [...new Uint8Array(await file.arrayBuffer())]
  return `data:${file.type};base64,${btoa(bytes.map((each) => String.fromCharCode(each)).join(''))}`
}

const Seller = ({ of, reload }: { readonly of: Merchant; readonly reload: () => void }) => {
  const { policies, fields } = words.value
  return (
    <>
      <Facts
        of={[
          [fields.name, of.name],
          [policies.legalName, of.legal_name],
          [policies.address, of.address],
          [policies.taxId, of.tax_id],
          [policies.support, of.support_contact],
          [policies.logo, of.logo === null ? null : <img key="logo" class="logo" src={of.logo} alt={policies.logo} />],
          [policies.mails, of.customer_mails ? policies.mailsOn : policies.mailsOff],
          [policies.notices, of.notices_to],
          [policies.fee, of.platform_fee === null ? null : feeText(of.platform_fee)],
          ...(of.next_platform_fee === null
            ? []
            : [[`${policies.feeFrom} ${dateTime(of.next_platform_fee.from)}`, feeText(of.next_platform_fee)] as const]),
          [
            policies.terms,
            of.terms === null ? null : (
              <a href={of.terms.url} rel="noreferrer">{`${of.terms.url} (${of.terms.version})`}</a>
            ),
          ],
        ]}
      />
      {may('merchant:write') && (
        <div class="actions">
          <Edit of={of} reload={reload} />
        </div>
      )}
    </>
  )
}

const Edit = ({ of, reload }: { readonly of: Merchant; readonly reload: () => void }) => {
  const { policies, actions } = words.value
  return (
    <Dialog opens={actions.edit} title={policies.seller} testId="edit-seller">
      {(close) => (
        <ActionForm
          submit={actions.save}
          cancel={<CancelButton close={close} />}
          does={async (form) => {
            const logo = form.get('no_logo') === 'yes' ? null : await pictureIn(form)
            const [url, version] = [textIn(form, 'terms_url'), textIn(form, 'terms_version')]
            await api.merchant.update({
              legal_name: textIn(form, 'legal_name') ?? null,
              address: textIn(form, 'address') ?? null,
              tax_id: textIn(form, 'tax_id') ?? null,
              support_contact: textIn(form, 'support_contact') ?? null,
              customer_mails: form.get('customer_mails') === 'on',
              notices_to: textIn(form, 'notices_to') ?? null,
              ...(logo === undefined ? {} : { logo }),
              terms: url === undefined || version === undefined ? null : { url, version },
            })
            close()
            reload()
          }}
        >
          <p>{policies.sellerText}</p>
          <Field label={policies.legalName} name="legal_name" value={of.legal_name ?? ''} maxLength={200} />
          <TextField label={policies.address} name="address" value={of.address ?? ''} />
          <Field label={policies.taxId} name="tax_id" value={of.tax_id ?? ''} maxLength={64} />
          <Field label={policies.support} name="support_contact" value={of.support_contact ?? ''} maxLength={254} />
          <Field label={policies.termsUrl} name="terms_url" type="url" value={of.terms?.url ?? ''} />
          <Field label={policies.termsVersion} name="terms_version" value={of.terms?.version ?? ''} maxLength={128} />
          <Field
            label={policies.logo}
            name="logo"
            type="file"
            accept="image/png,image/jpeg,image/webp"
            hint={policies.logoHint}
          />
          {of.logo !== null && <Check label={policies.noLogo} name="no_logo" value="yes" defaultChecked={false} />}
          <Choice
            label={policies.mails}
            name="customer_mails"
            value={of.customer_mails ? 'on' : 'off'}
            of={[
              ['on', policies.mailsOn],
              ['off', policies.mailsOff],
            ]}
          />
          <Field
            label={policies.notices}
            name="notices_to"
            type="email"
            value={of.notices_to ?? ''}
            hint={policies.noticesHint}
          />
        </ActionForm>
      )}
    </Dialog>
  )
}

const dollars = (text: string | null): string =>
  text === null ? words.value.policies.noLimit : money(Number(text) * 100, 'USD')

const Limits = ({ of, reload }: { readonly of: Bounds; readonly reload: () => void }) => {
  const { policies } = words.value
  const scopeOf = (scope: string) =>
    scope === 'merchant' ? policies.allTogether : scope === 'each_key' ? policies.eachKey : scope
  return (
    <>
      <p class="quiet">{policies.limitsText}</p>
      <Facts
        of={[
          [policies.used, of.used_24h === null ? policies.unknown : dollars(of.used_24h)],
          ...of.limits.map(({ scope, set_by, amount, next_amount, next_from }) => {
            const next = next_from === null ? '' : `; ${policies.from} ${dateTime(next_from)}: ${dollars(next_amount)}`
            return [`${scopeOf(scope)} (${policies.setBy[set_by]})`, `${dollars(amount)}${next}`] as const
          }),
        ]}
      />
      {hasAllRights() && (
        <div class="actions">
          <SetLimit reload={reload} />
        </div>
      )}
    </>
  )
}

const scopes = ['merchant', 'each_key', 'one_key'] as const

const SetLimit = ({ reload }: { readonly reload: () => void }) => {
  const [scope, setScope] = useState<(typeof scopes)[number]>('merchant')
  const { policies, actions } = words.value
  const names = { merchant: policies.allTogether, each_key: policies.eachKey, one_key: policies.oneKey }
  return (
    <Dialog opens={policies.setLimit} title={policies.setLimit} testId="set-limit">
      {(close) => (
        <ActionForm
          submit={actions.save}
          testId="limit-form"
          cancel={<CancelButton close={close} />}
          does={async (form) => {
            const limited = scope === 'one_key' ? demandedIn(form, 'key') : scope
            await api.approvals.setLimit({ scope: limited, amount: textIn(form, 'amount') ?? null })
            close()
            reload()
          }}
        >
          <p>{policies.raiseText}</p>
          <Choice
            label={policies.scope}
            name="scope"
            value={scope}
            onChange={({ currentTarget }) =>
              setScope(scopes.find((each) => each === currentTarget.value) ?? 'merchant')
            }
            of={scopes.map((each) => [each, names[each]] as const)}
          />
          {scope === 'one_key' && (
            <Field label={policies.keyId} name="key" required pattern="key_[0-9A-Za-z]{22}" hint={policies.keyIdHint} />
          )}
          <Field
            label={policies.amount}
            name="amount"
            inputMode="decimal"
            pattern="\d{1,11}(\.\d{1,2})?"
            hint={policies.amountHint}
          />
        </ActionForm>
      )}
    </Dialog>
  )
}
