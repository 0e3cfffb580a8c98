import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { useLoaded } from '../service/loaded.ts'
import { ActionForm, demandedIn, priceIn, textIn } from '../ui/action.tsx'
import { Choice, Field, TextField } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { Shown } from '../ui/states.tsx'

const periods = ['day', 'week', 'month', 'year'] as const
const isPeriod = (text: string | undefined): text is (typeof periods)[number] => periods.some((each) => each === text)

const create = (fields: FormData) => {
  const period = textIn(fields, 'period')
  const trialDays = textIn(fields, 'trial_days')
  const description = textIn(fields, 'description')
  const asset = textIn(fields, 'asset_id')
  return api.products.create({
    name: demandedIn(fields, 'name'),
    currency_code: demandedIn(fields, 'currency_code'),
    price_amount: priceIn(fields),
    ...(description === undefined ? {} : { description }),
    ...(asset === undefined ? {} : { asset_id: asset }),
    ...(isPeriod(period)
      ? {
          type: 'subscription' as const,
          recurring_period: period,
          ...(trialDays === undefined ? {} : { trial_days: Number(trialDays) }),
        }
      : { type: 'one_time' as const }),
  })
}

export const NewProduct = () => {
  const { route } = useLocation()
  const [isRecurring, setRecurring] = useState(false)
  const { products, fields, places, actions, periods: periodWords, productTypes } = words.value
  const known = useLoaded(async () => {
    const [currencies, assets] = await Promise.all([api.catalogue.currencies(), api.catalogue.assets()])
    return { currencies, assets }
  })
  return (
    <Page title={products.create} back={{ href: '/dashboard/products', label: places.products }}>
      <Shown of={known}>
        {({ currencies, assets }) => (
          <div class="card narrow">
            <ActionForm
              submit={products.create}
              testId="product-form"
              does={async (form) => route(`/dashboard/products/${(await create(form)).id}`)}
              cancel={
                <a class="button plain" href="/dashboard/products">
                  {actions.cancel}
                </a>
              }
            >
              <Field label={fields.name} name="name" required maxLength={250} />
              <TextField label={`${fields.description} ${actions.optional}`} name="description" maxLength={5_000} />
              <div class="row">
                <Field
                  label={fields.price}
                  name="price"
                  required
                  inputMode="decimal"
                  pattern="\d+([.,]\d{1,2})?"
                  title={products.priceForm}
                />
                <Choice
                  label={fields.currency}
                  name="currency_code"
                  value={currencies.includes('EUR') ? 'EUR' : (currencies[0] ?? '')}
                  of={currencies.map((each) => [each, each])}
                />
              </div>
              <Choice
                label={products.howSold}
                name="period"
                onChange={({ currentTarget }) => setRecurring(currentTarget.value !== '')}
                of={[['', productTypes.one_time], ...periods.map((each) => [each, periodWords[each]] as const)]}
              />
              {isRecurring && (
                <Field
                  label={`${fields.trialDays} ${actions.optional}`}
                  name="trial_days"
                  type="number"
                  min={0}
                  max={730}
                />
              )}
              <Choice
                label={fields.asset}
                name="asset_id"
                hint={products.assetHint}
                of={[
                  ['', products.assetDefault],
                  ...assets.map(({ asset_id, code }) => [asset_id ?? code, code] as const),
                ]}
              />
            </ActionForm>
          </div>
        )}
      </Shown>
    </Page>
  )
}
