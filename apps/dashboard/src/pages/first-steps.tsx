import { useLocation } from 'preact-iso/router'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { ActionButton } from '../ui/action.tsx'

/** A shop to try things with: two products, a customer, and a checkout that waits for its payment. */
const makeSampleShop = async (): Promise<string> => {
  const { sample } = words.value
  const book = await api.products.create({
    name: sample.book,
    description: sample.bookText,
    type: 'one_time',
    currency_code: 'EUR',
    price_amount: 12.5,
  })
  await api.products.create({
    name: sample.club,
    description: sample.clubText,
    type: 'subscription',
    recurring_period: 'month',
    currency_code: 'EUR',
    price_amount: 9,
  })
  const ada = await api.customers.list({ email: sampleEmail }).page()
  const customer = ada.data[0] ?? (await api.customers.create({ name: 'Ada Lovelace', email: sampleEmail }))
  const checkout = await api.checkouts.createForProduct({ product_id: book.id, customer_id: customer.id })
  return checkout.id
}

const sampleEmail = 'ada@example.com'

/** What leads from nothing to a first sale. */
export const FirstSteps = ({ isInSandbox }: { readonly isInSandbox: boolean }) => {
  const { route } = useLocation()
  const { firstSteps } = words.value
  return (
    <section class="card first-steps" data-testid="first-steps">
      <h2>{firstSteps.title}</h2>
      {isInSandbox && (
        <>
          <p>{firstSteps.sampleText}</p>
          <ActionButton
            kind="primary"
            testId="sample-shop"
            does={async () => route(`/dashboard/checkouts/${await makeSampleShop()}`)}
          >
            {firstSteps.sample}
          </ActionButton>
          <h3>{firstSteps.orYourself}</h3>
        </>
      )}
      <ol>
        {!isInSandbox && (
          <li>
            <a href="/dashboard/settlement">{firstSteps.settlement}</a>
          </li>
        )}
        <li>
          <a href="/dashboard/products/new">{firstSteps.product}</a>
        </li>
        <li>{firstSteps.checkout}</li>
        <li>{firstSteps.pay}</li>
      </ol>
    </section>
  )
}
