import type { Webhook as Endpoint, WebhookDelivery } from '@quittance/client/wire'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { useLoaded } from '../service/loaded.ts'
import { may } from '../service/session.ts'
import { ActionButton, ActionForm, demandedIn, textIn } from '../ui/action.tsx'
import { CancelButton, Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { type Column, RecordList } from '../ui/list.tsx'
import { Facts, Page, Section } from '../ui/page.tsx'
import { Secret, Status, Time } from '../ui/small.tsx'
import { Shown } from '../ui/states.tsx'

const columns = (): ReadonlyArray<Column<Endpoint>> => {
  const { fields, webhooks } = words.value
  const statusOf = ({ is_disabled }: Endpoint) => (is_disabled ? webhooks.off : webhooks.on)
  return [
    {
      title: fields.name,
      cell: ({ id, name }) => <a href={`/dashboard/webhooks/${id}`}>{name}</a>,
      csv: ({ name }) => name,
    },
    { title: webhooks.url, cell: ({ url }) => <code>{url}</code>, csv: ({ url }) => url },
    { title: webhooks.events, cell: ({ events }) => events.join(', '), csv: ({ events }) => events.join(' ') },
    { title: fields.status, cell: statusOf, csv: statusOf },
  ]
}

export const Webhooks = () => {
  const [secret, setSecret] = useState<string | null>(null)
  const { places, webhooks, actions } = words.value
  const create = may('webhooks:write') && (
    <Dialog opens={webhooks.create} kind="primary" title={webhooks.create} testId="new-webhook">
      {(close) => (
        <ActionForm
          submit={webhooks.create}
          cancel={<CancelButton close={close} />}
          does={async (form) => {
            const made = await api.webhooks.create({
              name: demandedIn(form, 'name'),
              url: demandedIn(form, 'url'),
              events: (textIn(form, 'events') ?? '*').split(/[\s,]+/),
            })
            setSecret(made.secret)
            close()
          }}
        >
          <Field label={words.value.fields.name} name="name" required maxLength={250} />
          <Field label={webhooks.url} name="url" type="url" required hint={webhooks.urlHint} />
          <Field label={`${webhooks.events} ${actions.optional}`} name="events" hint={webhooks.eventsHint} />
        </ActionForm>
      )}
    </Dialog>
  )
  return (
    <Page title={places.webhooks} intro={webhooks.intro} actions={create}>
      {secret !== null && <Secret label={webhooks.secret} text={secret} />}
      <RecordList
        key={secret ?? ''}
        path="/dashboard/webhooks"
        file="webhooks"
        columns={columns()}
        load={(query) => api.webhooks.list(query)}
        empty={{ title: webhooks.none, text: webhooks.noneText }}
      />
    </Page>
  )
}

export const Webhook = ({ id }: { readonly id: string }) => {
  const loaded = useLoaded(() => api.webhooks.retrieve(id), id)
  const [secret, setSecret] = useState<string | null>(null)
  const [round, setRound] = useState(0)
  const { places, fields, webhooks } = words.value
  return (
    <Shown of={loaded}>
      {(webhook) => (
        <Page
          title={webhook.name}
          intro={webhook.description}
          back={{ href: '/dashboard/webhooks', label: places.webhooks }}
          actions={
            may('webhooks:write') && (
              <Actions
                webhook={webhook}
                reload={() => {
                  loaded.reload()
                  setRound(round + 1)
                }}
                rotated={setSecret}
              />
            )
          }
        >
          {secret !== null && <Secret label={webhooks.secret} text={secret} />}
          <Facts
            of={[
              [webhooks.url, <code key="url">{webhook.url}</code>],
              [webhooks.events, webhook.events.join(', ')],
              [fields.status, webhook.is_disabled ? webhooks.off : webhooks.on],
              [fields.created, <Time key="created" at={webhook.created_at} />],
            ]}
          />
          <Section title={webhooks.deliveries}>
            <Deliveries key={round} of={id} />
          </Section>
        </Page>
      )}
    </Shown>
  )
}

const Actions = ({
  webhook,
  reload,
  rotated,
}: {
  readonly webhook: Endpoint
  readonly reload: () => void
  readonly rotated: (secret: string) => void
}) => {
  const { route } = useLocation()
  const { webhooks } = words.value
  const then = (work: () => Promise<unknown>) => async () => {
    await work()
    reload()
  }
  return (
    <>
      <ActionButton does={then(() => api.webhooks.test(webhook.id))}>{webhooks.test}</ActionButton>
      <ActionButton does={then(() => api.webhooks.update(webhook.id, { is_disabled: !webhook.is_disabled }))}>
        {webhook.is_disabled ? webhooks.turnOn : webhooks.turnOff}
      </ActionButton>
      <Dialog opens={webhooks.rotate} title={webhooks.rotate}>
        {(close) => (
          <ActionForm
            submit={webhooks.rotate}
            cancel={<CancelButton close={close} />}
            does={async () => {
              rotated((await api.webhooks.rotateSecret(webhook.id)).secret)
              close()
            }}
          >
            <p>{webhooks.rotateText}</p>
          </ActionForm>
        )}
      </Dialog>
      <Dialog opens={webhooks.delete} kind="danger" title={webhooks.delete}>
        {(close) => (
          <ActionForm
            submit={webhooks.delete}
            kind="danger"
            cancel={<CancelButton close={close} />}
            does={async () => {
              await api.webhooks.delete(webhook.id)
              route('/dashboard/webhooks')
            }}
          >
            <p>{webhooks.deleteText}</p>
          </ActionForm>
        )}
      </Dialog>
    </>
  )
}

const Deliveries = ({ of }: { readonly of: string }) => {
  const { fields, webhooks } = words.value
  const [round, setRound] = useState(0)
  const columns: ReadonlyArray<Column<WebhookDelivery>> = [
    { title: webhooks.event, cell: ({ event_type }) => <code>{event_type}</code>, csv: ({ event_type }) => event_type },
    { title: fields.status, cell: ({ status }) => <Status of={status} />, csv: ({ status }) => status },
    {
      title: webhooks.attempts,
      cell: ({ attempts }) => String(attempts),
      csv: ({ attempts }) => String(attempts),
      isNumber: true,
    },
    {
      title: webhooks.answer,
      cell: ({ response_status, failure }) => response_status ?? failure ?? '–',
      csv: ({ response_status, failure }) => String(response_status ?? failure ?? ''),
    },
    { title: fields.created, cell: ({ created_at }) => <Time at={created_at} />, csv: ({ created_at }) => created_at },
    {
      title: webhooks.again,
      cell: ({ id }) =>
        may('webhooks:write') && (
          <ActionButton
            does={async () => {
              await api.webhooks.redeliver(of, id)
              setRound(round + 1)
            }}
          >
            {webhooks.redeliver}
          </ActionButton>
        ),
      csv: ({ id }) => id,
    },
  ]
  return (
    <RecordList
      key={round}
      path={`/dashboard/webhooks/${of}`}
      file="deliveries"
      columns={columns}
      load={(query) => api.webhooks.deliveries(of, query)}
      empty={{ title: webhooks.noDeliveries, text: webhooks.noDeliveriesText }}
    />
  )
}
