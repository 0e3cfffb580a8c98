import type { Checkout as Session } from '@quittance/client/wire'
import { useEffect } from 'preact/hooks'
import { amount, money } from '../format.ts'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { useLoaded } from '../service/loaded.ts'
import { moved } from '../service/moved.ts'
import { isInSandbox, may } from '../service/session.ts'
import { ActionButton } from '../ui/action.tsx'
import { type Column, RecordList } from '../ui/list.tsx'
import { Facts, Page } from '../ui/page.tsx'
import { CopyButton, Status, Time } from '../ui/small.tsx'
import { Shown } from '../ui/states.tsx'
import { Timeline } from '../ui/timeline.tsx'

const priceOf = ({ price }: Session): string => money(price.amount_cents, price.currency_code)

const columns = (): ReadonlyArray<Column<Session>> => {
  const { fields } = words.value
  return [
    {
      title: fields.id,
      cell: ({ id }) => (
        <a href={`/dashboard/checkouts/${id}`}>
          <code>{id}</code>
        </a>
      ),
      csv: ({ id }) => id,
    },
    { title: fields.price, cell: priceOf, csv: priceOf, isNumber: true },
    { title: fields.status, cell: ({ status }) => <Status of={status} />, csv: ({ status }) => status },
    { title: fields.created, cell: ({ created_at }) => <Time at={created_at} />, csv: ({ created_at }) => created_at },
  ]
}

export const Checkouts = () => {
  const { places, checkouts, statuses, fields } = words.value
  return (
    <Page title={places.checkouts} intro={checkouts.intro}>
      <RecordList
        path="/dashboard/checkouts"
        file="checkouts"
        columns={columns()}
        filters={[
          {
            name: 'status',
            label: fields.status,
            of: (['open', 'completed', 'expired', 'failed'] as const).map((each) => [each, statuses[each]] as const),
          },
        ]}
        load={(query) => api.checkouts.list(query)}
        empty={{
          title: checkouts.none,
          text: checkouts.noneText,
          action: (
            <a class="button primary" href="/dashboard/products">
              {places.products}
            </a>
          ),
        }}
      />
    </Page>
  )
}

/** A payer may pay at any moment. */
const lookAgainMs = 3_000

export const Checkout = ({ id }: { readonly id: string }) => {
  const loaded = useLoaded(() => api.checkouts.retrieve(id), id)
  const isOpen = loaded.state._tag === 'Ready' && loaded.state.value.status === 'open'
  useEffect(() => {
    if (!isOpen) return
    const timer = setInterval(loaded.reload, lookAgainMs)
    return () => clearInterval(timer)
  }, [isOpen, id])
  const { places, checkouts, fields } = words.value
  return (
    <Page title={checkouts.one} back={{ href: '/dashboard/checkouts', label: places.checkouts }}>
      <Shown of={loaded}>
        {(checkout) => (
          <>
            {checkout.status === 'open' && <PaymentLink checkout={checkout} reload={loaded.reload} />}
            {checkout.status === 'completed' && (
              <p class="notice good" role="status" data-testid="paid">
                {checkouts.paid}{' '}
                {checkout.payment_id !== null && (
                  <a href={`/dashboard/payments/${checkout.payment_id}`}>{checkouts.toPayment}</a>
                )}
                {checkout.subscription_id !== null && (
                  <>
                    {' '}
                    <a href={`/dashboard/subscriptions/${checkout.subscription_id}`}>{checkouts.toSubscription}</a>
                  </>
                )}
              </p>
            )}
            <Facts
              of={[
                [fields.status, <Status key="status" of={checkout.status} />],
                [fields.price, priceOf(checkout)],
                [
                  fields.due,
                  checkout.amount_due === null ? null : amount(`${checkout.amount_due} ${checkout.asset_code}`),
                ],
                [
                  fields.product,
                  checkout.product_id === null ? null : (
                    <a href={`/dashboard/products/${checkout.product_id}`}>{checkout.product_id}</a>
                  ),
                ],
                [
                  fields.customer,
                  checkout.customer_id === null ? null : (
                    <a href={`/dashboard/customers/${checkout.customer_id}`}>{checkout.customer_id}</a>
                  ),
                ],
                [fields.expires, <Time key="expires" at={checkout.expires_at} />],
                [fields.created, <Time key="created" at={checkout.created_at} />],
              ]}
            />
            <Timeline id={`${id} ${checkout.status}`} of={(query) => api.checkouts.history(id, query)} />
          </>
        )}
      </Shown>
    </Page>
  )
}

const PaymentLink = ({ checkout, reload }: { readonly checkout: Session; readonly reload: () => void }) => {
  const { checkouts } = words.value
  const payAsCustomer = async () => {
    await api.sandbox.pay({ checkout_id: checkout.id })
    moved.value += 1
    reload()
  }
  return (
    <div class="card link">
      <h2>{checkouts.link}</h2>
      <p>{checkouts.linkText}</p>
      <p class="row">
        <code data-testid="payment-url">{checkout.payment_url}</code>
        <CopyButton text={checkout.payment_url} />
      </p>
      <div class="actions">
        <a
          class="button primary"
          href={checkout.payment_url}
          target="_blank"
          rel="noreferrer"
          data-testid="open-checkout"
        >
          {checkouts.openPage}
          <span class="visually-hidden"> {words.value.actions.newTab}</span>
        </a>
        {isInSandbox() && (
          <ActionButton does={payAsCustomer} testId="sandbox-pay">
            {checkouts.sandboxPay}
          </ActionButton>
        )}
        <ActionButton does={async () => reload()}>{checkouts.refresh}</ActionButton>
        {may('checkouts:write') && (
          <ActionButton
            does={async () => {
              await api.checkouts.expire(checkout.id)
              reload()
            }}
          >
            {checkouts.expire}
          </ActionButton>
        )}
      </div>
    </div>
  )
}
