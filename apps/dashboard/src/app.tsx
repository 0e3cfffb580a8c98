import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router'
import { words } from './messages/index.ts'
import { Account } from './pages/account.tsx'
import { Approval, Approvals } from './pages/approvals.tsx'
import { Books } from './pages/books.tsx'
import { Checkout, Checkouts } from './pages/checkouts.tsx'
import { Customer, Customers } from './pages/customers.tsx'
import { Events } from './pages/events.tsx'
import { Exception, Exceptions } from './pages/exceptions.tsx'
import { Home } from './pages/home.tsx'
import { Join } from './pages/join.tsx'
import { Keys } from './pages/keys.tsx'
import { NewProduct } from './pages/new-product.tsx'
import { Payment, Payments } from './pages/payments.tsx'
import { Destinations } from './pages/payout-destinations.tsx'
import { Payout, Payouts } from './pages/payouts.tsx'
import { Policies } from './pages/policies.tsx'
import { Product } from './pages/product.tsx'
import { Products } from './pages/products.tsx'
import { Refund, Refunds } from './pages/refunds.tsx'
import { Settlement } from './pages/settlement.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { Subscription } from './pages/subscription.tsx'
import { Subscriptions } from './pages/subscriptions.tsx'
import { Team } from './pages/team.tsx'
import { Webhook, Webhooks } from './pages/webhooks.tsx'
import { findSession, visit } from './service/session.ts'
import { Page } from './ui/page.tsx'
import { Shell } from './ui/shell.tsx'
import { Failure, Waiting } from './ui/states.tsx'

const NotFound = () => (
  <Page title={words.value.states.notFound}>
    <Failure failure={{ _tag: 'NotFound' }} />
  </Page>
)

const Pages = () => (
  <Shell>
    <Router>
      <Route path="/dashboard" component={Home} />
      <Route path="/dashboard/products" component={Products} />
      <Route path="/dashboard/products/new" component={NewProduct} />
      <Route path="/dashboard/products/:id" component={Product} />
      <Route path="/dashboard/checkouts" component={Checkouts} />
      <Route path="/dashboard/checkouts/:id" component={Checkout} />
      <Route path="/dashboard/customers" component={Customers} />
      <Route path="/dashboard/customers/:id" component={Customer} />
      <Route path="/dashboard/subscriptions" component={Subscriptions} />
      <Route path="/dashboard/subscriptions/:id" component={Subscription} />
      <Route path="/dashboard/payments" component={Payments} />
      <Route path="/dashboard/payments/:id" component={Payment} />
      <Route path="/dashboard/refunds" component={Refunds} />
      <Route path="/dashboard/refunds/:id" component={Refund} />
      <Route path="/dashboard/exceptions" component={Exceptions} />
      <Route path="/dashboard/exceptions/:id" component={Exception} />
      <Route path="/dashboard/payouts" component={Payouts} />
      <Route path="/dashboard/payouts/destinations" component={Destinations} />
      <Route path="/dashboard/payouts/:id" component={Payout} />
      <Route path="/dashboard/approvals" component={Approvals} />
      <Route path="/dashboard/approvals/:id" component={Approval} />
      <Route path="/dashboard/keys" component={Keys} />
      <Route path="/dashboard/webhooks" component={Webhooks} />
      <Route path="/dashboard/webhooks/:id" component={Webhook} />
      <Route path="/dashboard/events" component={Events} />
      <Route path="/dashboard/settlement" component={Settlement} />
      <Route path="/dashboard/policies" component={Policies} />
      <Route path="/dashboard/team" component={Team} />
      <Route path="/dashboard/account" component={Account} />
      <Route path="/dashboard/books" component={Books} />
      <Route default component={NotFound} />
    </Router>
  </Shell>
)

const Visited = () => {
  const { value } = visit
  const { path } = useLocation()
  if (path === '/dashboard/join') return <Join />
  switch (value._tag) {
    case 'Unknown':
      return (
        <main class="alone">
          <Waiting />
        </main>
      )
    case 'Unreachable':
      return (
        <main class="alone">
          <Failure failure={value.failure} retry={findSession} />
        </main>
      )
    case 'SignedOut':
      return <SignIn isAtTheSandbox={value.isAtTheSandbox} />
    case 'SignedIn':
      return <Pages />
  }
}

export const App = () => (
  <LocationProvider scope="/dashboard">
    <Visited />
  </LocationProvider>
)
