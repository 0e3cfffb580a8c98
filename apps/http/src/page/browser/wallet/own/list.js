import { walletWords } from '../wallet-words.ts'

/** @import { ListedWallet } from './kit.ts' */

/** @param {string} tag @param {string} className @param {string} text */
export const element = (tag, className, text) => {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = text
  return made
}

/** @param {ListedWallet} wallet @param {(wallet: ListedWallet) => void} onChoose */
const choice = (wallet, onChoose) => {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'choice wallet-choice'
  button.dataset.testid = `wallet-${wallet.id}`
  const mark = element('span', 'wallet-mark', wallet.name.slice(0, 1))
  mark.ariaHidden = 'true'
  button.append(
    mark,
    element('span', 'choice-code', wallet.name),
    element('span', 'choice-note', walletWords.list.reach[wallet.reach]),
  )
  button.addEventListener('click', () => onChoose(wallet))
  const item = document.createElement('li')
  item.append(button)
  return item
}

/** @param {ListedWallet} wallet */
const offer = ({ id, name, url }) => {
  const link = document.createElement('a')
  link.href = url
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  link.textContent = walletWords.list.get(name)
  link.dataset.testid = `get-${id}`
  const item = document.createElement('li')
  item.append(link)
  return item
}

/**
 * The wallets that are here to choose from, and where to get the others.
 * @param {ReadonlyArray<ListedWallet>} wallets
 * @param {(wallet: ListedWallet) => void} onChoose
 */
export const walletItems = (wallets, onChoose) => ({
  here: wallets.filter(({ isHere }) => isHere).map((wallet) => choice(wallet, onChoose)),
  elsewhere: wallets.filter(({ isHere }) => !isHere).map(offer),
})
