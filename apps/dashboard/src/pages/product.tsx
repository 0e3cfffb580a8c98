import type { Product as Sold } from '@quittance/client/wire'
import { useLocation } from 'preact-iso/router'
import { assetCode } from '../format.ts'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { useLoaded } from '../service/loaded.ts'
import { may } from '../service/session.ts'
import { ActionButton, ActionForm, priceIn, textIn } from '../ui/action.tsx'
import { CancelButton, Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Facts, Page } from '../ui/page.tsx'
import { Status, Time } from '../ui/small.tsx'
import { Shown } from '../ui/states.tsx'
import { Timeline } from '../ui/timeline.tsx'
import { priceOf } from './products.tsx'

export const Product = ({ id }: { readonly id: string }) => {
  const loaded = useLoaded(() => api.products.retrieve(id), id)
  const { places, fields, productTypes } = words.value
  return (
    <Shown of={loaded}>
      {(product) => (
        <Page
          title={product.name}
          intro={product.description}
          back={{ href: '/dashboard/products', label: places.products }}
          actions={<Actions product={product} reload={loaded.reload} />}
        >
          <Facts
            of={[
              [fields.status, <Status key="status" of={product.status} />],
              [fields.price, priceOf(product)],
              [fields.type, productTypes[product.type]],
              [fields.asset, assetCode(product.asset_id)],
              [fields.trialDays, product.type === 'subscription' ? String(product.trial_days ?? 0) : null],
              [fields.created, <Time key="created" at={product.created_at} />],
              [fields.id, <code key="id">{product.id}</code>],
            ]}
          />
          <Timeline id={id} of={(query) => api.products.history(id, query)} />
        </Page>
      )}
    </Shown>
  )
}

const Actions = ({ product, reload }: { readonly product: Sold; readonly reload: () => void }) => {
  const { products, fields, actions } = words.value
  const isSold = product.status === 'active'
  return (
    <>
      {isSold && may('checkouts:write') && <NewCheckout product={product} />}
      {may('products:write') && (
        <>
          <Dialog opens={products.changePrice} title={products.changePrice}>
            {(close) => (
              <ActionForm
                submit={actions.save}
                cancel={<CancelButton close={close} />}
                does={async (form) => {
                  await api.products.update(product.id, { price_amount: priceIn(form) })
                  close()
                  reload()
                }}
              >
                <p>{products.changePriceText}</p>
                <Field
                  label={`${fields.price} (${product.currency_code})`}
                  name="price"
                  required
                  inputMode="decimal"
                  pattern="\d+([.,]\d{1,2})?"
                />
              </ActionForm>
            )}
          </Dialog>
          <ActionButton
            does={async () => {
              await api.products.update(product.id, { status: isSold ? 'archived' : 'active' })
              reload()
            }}
          >
            {isSold ? products.archive : products.sellAgain}
          </ActionButton>
        </>
      )}
    </>
  )
}

/** Makes a link by which a customer pays for the product. */
const NewCheckout = ({ product }: { readonly product: Sold }) => {
  const { route } = useLocation()
  const { checkouts, fields, actions } = words.value
  return (
    <Dialog opens={checkouts.create} kind="primary" title={checkouts.create} testId="new-checkout">
      {(close) => (
        <ActionForm
          submit={checkouts.create}
          testId="checkout-form"
          cancel={<CancelButton close={close} />}
          does={async (form) => {
            const email = textIn(form, 'email')
            const made = await api.checkouts.createForProduct({
              product_id: product.id,
              ...(email === undefined ? {} : { customer_email: email }),
            })
            route(`/dashboard/checkouts/${made.id}`)
          }}
        >
          <p>{checkouts.createText}</p>
          <Field
            label={`${fields.customerEmail} ${actions.optional}`}
            hint={product.type === 'subscription' ? checkouts.emailAsked : checkouts.emailHint}
            name="email"
            type="email"
          />
        </ActionForm>
      )}
    </Dialog>
  )
}
