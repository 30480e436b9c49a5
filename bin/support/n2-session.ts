import { stringify } from 'yaml';

/** A document of the recorded session, with what its author wrote into the frontmatter. */
export interface N2Document {
  category: string;
  filename: string;
  title: string;
  summary: string;
  keywords: string[];
  covers: string[];
  when_to_retrieve: string;
  body: string;
}

/** The two documents of note N2. The note gives their paths; their text is ours, after its queries. */
export const N2_DOCUMENTS: readonly N2Document[] = [
  {
    category: 'infrastructure',
    filename: 'mysql-connection-pool.md',
    title: 'MySQL 连接池配置与排查',
    summary: 'HikariCP 连接池的参数、监控，以及连接耗尽与泄漏的排查步骤。',
    keywords: ['HikariCP', '连接池', 'MySQL', 'max_connections', '连接泄漏'],
    covers: ['连接池调优', '连接池耗尽', '连接泄漏'],
    when_to_retrieve: '数据库连接不够、连接超时或需要调整 HikariCP 参数时。',
    body: `# MySQL 连接池配置与排查

## 参数

HikariCP 的 maximumPoolSize 建议为 CPU 核数的 2 倍加 1；所有实例之和必须小于 MySQL 的 max_connections。
maxLifetime 要比 MySQL 的 wait_timeout 短 30 秒。

## 连接池耗尽

日志出现 Connection is not available 时，先看监控指标 active、idle、pending，再用 SHOW PROCESSLIST 查慢查询。
数据库连接超时、连接数打满都按此步骤排查。

## 连接泄漏检测

把 leakDetectionThreshold 设为 2000 毫秒，日志会打印借出连接后未归还的调用栈。
`,
  },
  {
    category: 'api',
    filename: 'payment-errors.md',
    title: '支付错误码与超时排查',
    summary: '支付网关返回的错误码含义，以及支付超时、失败重试的处理。',
    keywords: ['ERR_TIMEOUT', '支付', '网关', '错误码'],
    covers: ['支付超时', '支付失败重试', '网关报错'],
    when_to_retrieve: '支付接口报错、超时或返回错误码时。',
    body: `# 支付错误码与超时排查

## ERR_TIMEOUT

支付网关在 5 秒内没有响应时返回 ERR_TIMEOUT；上游是网关 504。先查渠道状态页，再查网关到渠道的网络。

## 失败重试

支付失败重试必须带同一个幂等号，间隔 1、5、30 秒，最多三次；余额不足不重试。
`,
  },
];

/** The queries of the session, in order; the domain is the one that an agent with the knowledge map would name. */
export const N2_QUERIES: readonly { query: string; domain: string }[] = [
  { query: 'MySQL 连接池配置', domain: 'infrastructure' },
  { query: 'HikariCP 参数调优', domain: 'infrastructure' },
  { query: '连接池耗尽排查步骤', domain: 'infrastructure' },
  { query: '支付超时排查', domain: 'api' },
  { query: 'ERR_TIMEOUT 错误码', domain: 'api' },
  { query: 'HikariCP maximumPoolSize', domain: 'infrastructure' },
  { query: '连接泄漏检测', domain: 'infrastructure' },
  { query: '数据库连接超时', domain: 'infrastructure' },
  { query: '支付网关超时处理', domain: 'api' },
  { query: '错误码含义', domain: 'api' },
  { query: '连接池监控指标', domain: 'infrastructure' },
  { query: 'MySQL wait_timeout', domain: 'infrastructure' },
  { query: '支付失败重试', domain: 'api' },
  { query: 'ERR_TIMEOUT 原因', domain: 'api' },
  { query: '连接池大小建议', domain: 'infrastructure' },
  { query: 'max_connections', domain: 'infrastructure' },
  { query: '支付接口报错', domain: 'api' },
  { query: 'HikariCP leakDetection', domain: 'infrastructure' },
  { query: '网关 504', domain: 'api' },
  { query: '连接数打满', domain: 'infrastructure' },
];

/** The document as its author would upload it (R3.1). */
export function n2Upload({ category, filename, body, ...frontmatter }: N2Document) {
  return { category, filename, content: `---\n${stringify(frontmatter)}---\n${body}` };
}
