import type { SubscriptionDetail } from '@quittance/client/wire'
import { amount, money } from '../format.ts'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { useLoaded } from '../service/loaded.ts'
import { may } from '../service/session.ts'
import { ActionButton, ActionForm, demandedIn } from '../ui/action.tsx'
import { CancelButton, Dialog } from '../ui/dialog.tsx'
import { Choice } from '../ui/field.tsx'
import { Facts, Page } from '../ui/page.tsx'
import { Status, Time } from '../ui/small.tsx'
import { Shown } from '../ui/states.tsx'
import { Timeline } from '../ui/timeline.tsx'

export const Subscription = ({ id }: { readonly id: string }) => {
  const loaded = useLoaded(() => api.subscriptions.retrieve(id), id)
  const { places, subscriptions } = words.value
  return (
    <Page
      title={subscriptions.one}
      back={{ href: '/dashboard/subscriptions', label: places.subscriptions }}
      actions={
        loaded.state._tag === 'Ready' &&
        may('subscriptions:write') && <Actions of={loaded.state.value} reload={loaded.reload} />
      }
    >
      <Shown of={loaded}>
        {(subscription) => (
          <>
            <SubscriptionFacts of={subscription} />
            <Timeline id={`${id} ${subscription.updated_at}`} of={(query) => api.subscriptions.timeline(id, query)} />
          </>
        )}
      </Shown>
    </Page>
  )
}

const timeOr = (at: string | null) => (at === null ? null : <Time at={at} />)

const SubscriptionFacts = ({ of }: { readonly of: SubscriptionDetail }) => {
  const { fields, subscriptions, statuses } = words.value
  const product = of.related_resources.product
  const known: Readonly<Record<string, string>> = statuses
  return (
    <Facts
      of={[
        [fields.status, <Status key="status" of={of.status} />],
        [
          fields.product,
          <a key="product" href={`/dashboard/products/${of.product_id}`}>
            {product?.name ?? of.product_id}
          </a>,
        ],
        [
          fields.customer,
          <a key="customer" href={`/dashboard/customers/${of.customer_id}`}>
            {of.customer_id}
          </a>,
        ],
        [fields.price, money(of.price_amount_cents, of.currency_code)],
        [fields.periodEnd, <Time key="end" at={of.current_period_end} />],
        [fields.renews, timeOr(of.next_renewal_at)],
        [subscriptions.endsWithPeriod, of.cancel_at_period_end ? subscriptions.yes : null],
        [subscriptions.canceledAt, timeOr(of.canceled_at)],
        [subscriptions.graceUntil, timeOr(of.grace_until)],
        [subscriptions.failedCharges, of.failed_payment_count === 0 ? null : String(of.failed_payment_count)],
        [subscriptions.authorization, known[of.authorization.status] ?? of.authorization.status],
        [fields.cap, amount(of.authorization.cap)],
        [subscriptions.authorizedUntil, <Time key="until" at={of.authorization.expires_at} />],
        [
          subscriptions.invoice,
          of.invoice_url === null ? null : (
            <a key="invoice" href={of.invoice_url} rel="noreferrer">
              {of.invoice_url}
            </a>
          ),
        ],
        [fields.id, <code key="id">{of.id}</code>],
      ]}
    />
  )
}

const Actions = ({ of, reload }: { readonly of: SubscriptionDetail; readonly reload: () => void }) => {
  const { subscriptions } = words.value
  const then = (work: () => Promise<unknown>) => async () => {
    await work()
    reload()
  }
  switch (of.status) {
    case 'canceled':
      return null
    case 'paused':
      return (
        <>
          <ActionButton does={then(() => api.subscriptions.resume(of.id))}>{subscriptions.resume}</ActionButton>
          <Cancel of={of} reload={reload} />
        </>
      )
    case 'trialing':
    case 'active':
    case 'past_due':
    case 'overdue':
      return (
        <>
          {of.cancel_at_period_end ? (
            <ActionButton does={then(() => api.subscriptions.update(of.id, { cancel_at_period_end: false }))}>
              {subscriptions.keep}
            </ActionButton>
          ) : (
            <ActionButton does={then(() => api.subscriptions.pause(of.id))}>{subscriptions.pause}</ActionButton>
          )}
          <Cancel of={of} reload={reload} />
        </>
      )
  }
}

const Cancel = ({ of, reload }: { readonly of: SubscriptionDetail; readonly reload: () => void }) => {
  const { subscriptions } = words.value
  return (
    <Dialog opens={subscriptions.cancel} kind="danger" title={subscriptions.cancel} testId="cancel">
      {(close) => (
        <ActionForm
          submit={subscriptions.cancel}
          kind="danger"
          cancel={<CancelButton close={close} />}
          does={async (form) => {
            await api.subscriptions.cancel(of.id, demandedIn(form, 'at') === 'now' ? 'now' : 'period_end')
            close()
            reload()
          }}
        >
          <Choice
            label={subscriptions.when}
            name="at"
            of={[
              ['period_end', subscriptions.atPeriodEnd],
              ['now', subscriptions.now],
            ]}
          />
        </ActionForm>
      )}
    </Dialog>
  )
}
