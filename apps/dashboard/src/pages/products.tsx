import type { Product } from '@quittance/client/wire'
import { useLocation } from 'preact-iso/router'
import { money } from '../format.ts'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { may } from '../service/session.ts'
import { type Column, RecordList } from '../ui/list.tsx'
import { Page } from '../ui/page.tsx'
import { Status, Time } from '../ui/small.tsx'

/** A price with its period, where it recurs. */
export const priceOf = ({ price_amount_cents, currency_code, recurring_period }: Product): string => {
  const price = money(price_amount_cents, currency_code)
  return recurring_period === null ? price : `${price} ${words.value.periods[recurring_period]}`
}

const columns = (): ReadonlyArray<Column<Product>> => {
  const { fields, productTypes } = words.value
  return [
    {
      title: fields.name,
      cell: ({ id, name }) => <a href={`/dashboard/products/${id}`}>{name}</a>,
      csv: ({ name }) => name,
    },
    { title: fields.price, cell: priceOf, csv: priceOf, isNumber: true },
    { title: fields.type, cell: ({ type }) => productTypes[type], csv: ({ type }) => type },
    { title: fields.status, cell: ({ status }) => <Status of={status} />, csv: ({ status }) => status },
    { title: fields.created, cell: ({ created_at }) => <Time at={created_at} />, csv: ({ created_at }) => created_at },
  ]
}

export const Products = () => {
  const { places, products, statuses, fields } = words.value
  const { route } = useLocation()
  const create = may('products:write') && (
    <button type="button" class="primary" onClick={() => route('/dashboard/products/new')} data-testid="new-product">
      {products.create}
    </button>
  )
  return (
    <Page title={places.products} intro={products.intro} actions={create}>
      <RecordList
        path="/dashboard/products"
        file="products"
        columns={columns()}
        filters={[
          {
            name: 'status',
            label: fields.status,
            of: [
              ['active', statuses.active],
              ['archived', statuses.archived],
            ],
          },
        ]}
        load={(query) => api.products.list(query)}
        empty={{ title: products.none, text: products.noneText, action: create }}
      />
    </Page>
  )
}
