import type { FindableItem } from '#lib/core/keyword-columns.ts';

/** Numbers below `below`, the same ones every time (mulberry32). */
function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const SUBJECTS =
  'payment gateway order invoice ledger session token cache queue index snapshot cluster broker proxy router scheduler worker container pod node volume bucket table shard replica partition stream topic consumer producer webhook callback certificate secret key vault firewall subnet balancer pipeline artifact registry image build release rollout canary feature flag metric alert trace log dashboard quota budget cost region zone tenant account user role policy permission audit backup restore migration schema query transaction lock deadlock connection pool thread memory heap garbage collector profiler timeout retry backoff circuit breaker rate limiter'.split(
    ' ',
  );
const TOPICS =
  'tuning failure recovery configuration limits upgrade rotation latency throughput leak overflow corruption mismatch rollback validation checklist troubleshooting capacity sizing monitoring encryption throttling ordering replay deduplication consistency isolation'.split(
    ' ',
  );
const PRODUCTS =
  'HikariCP PostgreSQL MySQL Redis Kafka RabbitMQ Nginx Envoy Istio Kubernetes Docker Terraform Jenkins Grafana Prometheus OpenSearch DynamoDB Lambda S3 CloudFront Spring Hibernate React Node.js Go Rust gRPC GraphQL OAuth2 SAML TLS'.split(
    ' ',
  );
const CHINESE_SUBJECTS =
  '支付 网关 订单 发票 账本 会话 令牌 缓存 队列 索引 快照 集群 代理 路由 调度 容器 节点 存储 分片 副本 分区 消息 消费者 证书 密钥 防火墙 负载均衡 流水线 镜像 发布 灰度 指标 告警 日志 配额 成本 租户 账号 权限 审计 备份 迁移 事务 死锁 连接池 线程 内存 垃圾回收 超时 重试 熔断 限流'.split(
    ' ',
  );
const CHINESE_TOPICS =
  '调优 故障 恢复 配置 上限 升级 轮换 延迟 吞吐 泄漏 溢出 损坏 不一致 回滚 校验 排查 容量 监控 加密 幂等 去重 一致性 隔离'.split(
    ' ',
  );

/** Every second item says the first, every fifth the second: the worst that a query can hit. */
export const COMMON_KEYWORDS = ['runbook', '运维手册'] as const;

const DOMAINS = 40;
const TEAMS = 20;

/**
 * Items with ten keywords each, the same ones every time: half of the keywords are nearly one item's own (a code, a
 * component with a number), the others are shared by few to very many; a third is Chinese, some are mixed.
 */
export function* keywordCorpus(documents: number): Generator<FindableItem> {
  const draw = draws(7);
  const one = <T>(from: readonly T[]): T => from[draw(from.length)]!;
  const kinds = [
    () => `${one(SUBJECTS)} ${one(TOPICS)}`,
    () => `${one(SUBJECTS)} ${one(SUBJECTS)} ${one(TOPICS)} ${draw(1000)}`,
    () => `${one(PRODUCTS)} ${one(SUBJECTS)} ${draw(30)}.${draw(20)}`,
    () => `ERR_${one(SUBJECTS).toUpperCase()}_${draw(100_000)}`,
    () => `${one(SUBJECTS)}-service-${draw(50_000)}`,
    () => `${one(CHINESE_SUBJECTS)}${one(CHINESE_TOPICS)}`,
    () => `${one(CHINESE_SUBJECTS)}${one(CHINESE_SUBJECTS)}${one(CHINESE_TOPICS)}${one(CHINESE_TOPICS)}`,
    () => `${one(PRODUCTS)}${one(CHINESE_SUBJECTS)}${one(CHINESE_TOPICS)}第${draw(5000)}版`,
    () => `${one(PRODUCTS)} ${one(TOPICS)}`,
    () => `${one(SUBJECTS)} ${one(SUBJECTS)} ${one(SUBJECTS)} ${one(TOPICS)}`,
  ];
  for (let n = 0; n < documents; n += 1) {
    const keywords = kinds.map((kind) => kind());
    if (n % 2 === 0) keywords[0] = COMMON_KEYWORDS[0];
    if (n % 5 === 0) keywords[5] = COMMON_KEYWORDS[1];
    yield {
      id: `knowledge-20260701-${String(draw(240_000)).padStart(6, '0')}-${n.toString(16).padStart(8, '0')}`,
      keywords,
      keywords_by_author: draw(4) > 0,
      domain: `domain-${draw(DOMAINS)}`,
      scopes: draw(5) === 0 ? [`team-${draw(TEAMS)}`] : [],
      live_pos: n + 1,
    };
  }
}

/**
 * As many queries as asked for, the same ones every time, by turns: questions with and without a keyword in them, in
 * English and Chinese, single words that are part of thousands of keywords, codes, and the keywords of half of all items.
 */
export function keywordQueries(count: number): string[] {
  const draw = draws(11);
  const one = <T>(from: readonly T[]): T => from[draw(from.length)]!;
  const kinds = [
    () => `How do I set up ${one(PRODUCTS)} ${one(TOPICS)} for the ${one(SUBJECTS)} of our ${one(SUBJECTS)}?`,
    () => `${one(SUBJECTS)} ${one(TOPICS)}`,
    () => one(SUBJECTS),
    () => `请问${one(CHINESE_SUBJECTS)}${one(CHINESE_TOPICS)}应该怎么处理，${one(PRODUCTS)} 报错了？`,
    () => `${one(CHINESE_SUBJECTS)}${one(CHINESE_TOPICS)}`,
    () => one(CHINESE_SUBJECTS),
    () => `what does ERR_${one(SUBJECTS).toUpperCase()}_${draw(100_000)} mean`,
    () => `${one(SUBJECTS)}-service-${draw(50_000)} fails after the ${one(TOPICS)}`,
    () => 'where did we go for lunch in the week before last',
    () => one(COMMON_KEYWORDS),
  ];
  return Array.from({ length: count }, (_, n) => kinds[n % kinds.length]!());
}
