import type { Customer as Person } from '@quittance/client/wire'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { useLoaded } from '../service/loaded.ts'
import { may } from '../service/session.ts'
import { ActionForm, demandedIn } from '../ui/action.tsx'
import { CancelButton, Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { type Column, RecordList, RecordTable } from '../ui/list.tsx'
import { Facts, Page, Section } from '../ui/page.tsx'
import { CopyButton, Secret, Short, Time } from '../ui/small.tsx'
import { Shown } from '../ui/states.tsx'
import { Timeline } from '../ui/timeline.tsx'
import { paymentColumns } from './payments.tsx'
import { subscriptionColumns } from './subscriptions.tsx'

const columns = (): ReadonlyArray<Column<Person>> => {
  const { fields } = words.value
  return [
    {
      title: fields.name,
      cell: ({ id, name, email }) => <a href={`/dashboard/customers/${id}`}>{name ?? email ?? id}</a>,
      csv: ({ name }) => name ?? '',
    },
    { title: fields.email, cell: ({ email }) => email ?? '–', csv: ({ email }) => email ?? '' },
    {
      title: fields.wallets,
      cell: ({ wallets }) => String(wallets.length),
      csv: ({ wallets }) => wallets.map(({ address }) => address).join(' '),
      isNumber: true,
    },
    { title: fields.created, cell: ({ created_at }) => <Time at={created_at} />, csv: ({ created_at }) => created_at },
  ]
}

export const Customers = () => {
  const { places, customers, fields } = words.value
  const create = may('customers:write') && <NewCustomer />
  return (
    <Page title={places.customers} intro={customers.intro} actions={create}>
      <RecordList
        path="/dashboard/customers"
        file="customers"
        columns={columns()}
        filters={[{ name: 'email', label: fields.email }]}
        load={(query) => api.customers.list(query)}
        empty={{ title: customers.none, text: customers.noneText }}
      />
    </Page>
  )
}

const NewCustomer = () => {
  const { route } = useLocation()
  const { customers, fields } = words.value
  return (
    <Dialog opens={customers.create} kind="primary" title={customers.create} testId="new-customer">
      {(close) => (
        <ActionForm
          submit={customers.create}
          cancel={<CancelButton close={close} />}
          does={async (form) => {
            const made = await api.customers.create({
              name: demandedIn(form, 'name'),
              email: demandedIn(form, 'email'),
            })
            route(`/dashboard/customers/${made.id}`)
          }}
        >
          <Field label={fields.name} name="name" required maxLength={250} />
          <Field label={fields.email} name="email" type="email" required />
        </ActionForm>
      )}
    </Dialog>
  )
}

export const Customer = ({ id }: { readonly id: string }) => {
  const loaded = useLoaded(() => api.customers.retrieve(id), id)
  const [portal, setPortal] = useState<string | null>(null)
  const { places, customers, fields } = words.value
  return (
    <Shown of={loaded}>
      {(customer) => (
        <Page
          title={customer.name ?? customer.email ?? customers.one}
          back={{ href: '/dashboard/customers', label: places.customers }}
          actions={may('customers:write') && <Actions customer={customer} reload={loaded.reload} opened={setPortal} />}
        >
          {portal !== null && <Secret label={customers.portalLink} text={portal} />}
          <Facts
            of={[
              [fields.email, customer.email],
              [fields.phone, customer.phone],
              [fields.created, <Time key="created" at={customer.created_at} />],
              [fields.id, <code key="id">{customer.id}</code>],
              ...customer.wallets.map(
                ({ id: wallet, address, via }) =>
                  [
                    fields.wallet,
                    <span key={wallet} class="row">
                      <Short of={address} /> {customers.via[via]} <CopyButton text={address} />
                    </span>,
                  ] as const,
              ),
            ]}
          />
          {may('subscriptions:read') && <Subscriptions of={id} />}
          {may('payments:read') && <Payments of={id} />}
          <Timeline id={id} of={(query) => api.customers.history(id, query)} />
        </Page>
      )}
    </Shown>
  )
}

const Subscriptions = ({ of }: { readonly of: string }) => {
  const { places, subscriptions } = words.value
  const loaded = useLoaded(() => api.subscriptions.list(of, { limit: 20 }).page(), of)
  return (
    <Section title={places.subscriptions}>
      <Shown of={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="quiet">{subscriptions.none}</p>
          ) : (
            <RecordTable columns={subscriptionColumns()} records={data} />
          )
        }
      </Shown>
    </Section>
  )
}

const Payments = ({ of }: { readonly of: string }) => {
  const { places, payments } = words.value
  const loaded = useLoaded(() => api.payments.list({ customer_id: of, limit: 20 }).page(), of)
  return (
    <Section title={places.payments}>
      <Shown of={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="quiet">{payments.none}</p>
          ) : (
            <RecordTable columns={paymentColumns()} records={data} />
          )
        }
      </Shown>
    </Section>
  )
}

const Actions = ({
  customer,
  reload,
  opened,
}: {
  readonly customer: Person
  readonly reload: () => void
  readonly opened: (url: string) => void
}) => {
  const { route } = useLocation()
  const { customers, fields, actions } = words.value
  return (
    <>
      <Dialog opens={actions.edit} title={actions.edit}>
        {(close) => (
          <ActionForm
            submit={actions.save}
            cancel={<CancelButton close={close} />}
            does={async (form) => {
              const [name, email] = [demandedIn(form, 'name'), demandedIn(form, 'email')]
              await api.customers.update(customer.id, {
                name: name === '' ? null : name,
                email: email === '' ? null : email,
              })
              close()
              reload()
            }}
          >
            <Field label={fields.name} name="name" value={customer.name ?? ''} maxLength={250} />
            <Field label={fields.email} name="email" type="email" value={customer.email ?? ''} />
          </ActionForm>
        )}
      </Dialog>
      <Dialog opens={customers.portal} title={customers.portal}>
        {(close) => (
          <ActionForm
            submit={customers.portal}
            cancel={<CancelButton close={close} />}
            does={async () => {
              opened((await api.customers.openPortal(customer.id)).url)
              close()
            }}
          >
            <p>{customers.portalText}</p>
          </ActionForm>
        )}
      </Dialog>
      <Dialog opens={customers.erase} kind="danger" title={customers.erase}>
        {(close) => (
          <ActionForm
            submit={customers.erase}
            kind="danger"
            cancel={<CancelButton close={close} />}
            does={async () => {
              await api.customers.delete(customer.id)
              route('/dashboard/customers')
            }}
          >
            <p>{customers.eraseText}</p>
          </ActionForm>
        )}
      </Dialog>
    </>
  )
}
