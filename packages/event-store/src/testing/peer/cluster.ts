import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js'
import gossip from '@eventstore/db-client/generated/gossip_pb.js'
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js'
import features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'

/** A node in gossip. */
export type Member = { readonly host: string; readonly port: number; readonly isLeader: boolean }

/** Gossip.Read: the cluster's nodes, all alive. */
export const clusterInfo = (members: ReadonlyArray<Member>): ClusterInfo => {
  const info = new gossip.ClusterInfo()
  members.forEach(({ host, port, isLeader }, index) => {
    const endPoint = new gossip.EndPoint()
    endPoint.setAddress(host)
    endPoint.setPort(port)
    const id = new shared.UUID()
    id.setString(`00000000-0000-4000-8000-${String(index).padStart(12, '0')}`)
    const member = new gossip.MemberInfo()
    const { LEADER, FOLLOWER } = gossip.MemberInfo.VNodeState
    member.setInstanceId(id)
    member.setState(isLeader ? LEADER : FOLLOWER)
    member.setIsAlive(true)
    member.setHttpEndPoint(endPoint)
    info.addMembers(member)
  })
  return info
}

/** ServerFeatures.GetSupportedMethods: the peer's methods, by which a client chooses how to append. */
export const supportedMethods = (): SupportedMethods => {
  const methods = new features.SupportedMethods()
  methods.setEventStoreServerVersion('23.10.0')
  for (const name of ['read', 'append', 'batchappend']) {
    const method = new features.SupportedMethod()
    method.setServiceName('event_store.client.streams.streams')
    method.setMethodName(name)
    methods.addMethods(method)
  }
  return methods
}
