import type { Limits as Bounds, Merchant } from '@quittance/client/wire'
import { dateTime, money } from '../format.ts'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { useLoaded } from '../service/loaded.ts'
import { ActionForm, textIn } from '../ui/action.tsx'
import { CancelButton, Dialog } from '../ui/dialog.tsx'
import { Field, TextField } from '../ui/field.tsx'
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

const Seller = ({ of, reload }: { readonly of: Merchant; readonly reload: () => void }) => {
  const { policies, fields, actions } = words.value
  return (
    <>
      <Facts
        of={[
          [fields.name, of.name],
          [policies.legalName, of.legal_name],
          [policies.address, of.address],
          [policies.taxId, of.tax_id],
          [policies.support, of.support_contact],
          [
            policies.terms,
            of.terms === null ? null : (
              <a href={of.terms.url} rel="noreferrer">{`${of.terms.url} (${of.terms.version})`}</a>
            ),
          ],
        ]}
      />
      <Dialog opens={actions.edit} title={policies.seller}>
        {(close) => (
          <ActionForm
            submit={actions.save}
            cancel={<CancelButton close={close} />}
            does={async (form) => {
              const [url, version] = [textIn(form, 'terms_url'), textIn(form, 'terms_version')]
              await api.merchant.update({
                legal_name: textIn(form, 'legal_name') ?? null,
                address: textIn(form, 'address') ?? null,
                tax_id: textIn(form, 'tax_id') ?? null,
                support_contact: textIn(form, 'support_contact') ?? null,
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
          </ActionForm>
        )}
      </Dialog>
    </>
  )
}

const dollars = (text: string | null): string =>
  text === null ? words.value.policies.noLimit : money(Number(text) * 100, 'USD')

const Limits = ({ of, reload }: { readonly of: Bounds; readonly reload: () => void }) => {
  const { policies, actions } = words.value
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
      <Dialog opens={policies.setLimit} title={policies.setLimit}>
        {(close) => (
          <ActionForm
            submit={actions.save}
            cancel={<CancelButton close={close} />}
            does={async (form) => {
              await api.approvals.setLimit({ scope: 'merchant', amount: textIn(form, 'amount') ?? null })
              close()
              reload()
            }}
          >
            <p>{policies.raiseText}</p>
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
    </>
  )
}
